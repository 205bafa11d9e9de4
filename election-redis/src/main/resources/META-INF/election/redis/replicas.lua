-- Stands behind a campaign or a renewal, which is the function decide here, where all replicas have to acknowledge what it grants. What
-- the primary names as attached is not enough: one that is cut off names fewer, and at last none. So the record keeps the most that were
-- attached at any grant or renewal.
--
-- Returns  what decide returns; behind a 'granted' or 'renewed', how many replicas have to acknowledge it

local reply = decide()
if reply[1] == 'granted' or reply[1] == 'renewed' then
  local noted = number(redis.call('HGET', KEYS[2], 'replicas')) or 0
  local attached = 0
  -- One that has acknowledged nothing yet is still loading what it was sent, and can't be promoted.
  for _ in string.gmatch(redis.call('INFO', 'replication'), 'slave%d+:[^\r\n]*state=online,offset=[1-9]') do
    attached = attached + 1
  end
  if attached > noted then
    redis.call('HSET', KEYS[2], 'replicas', text(attached))
  end
  reply[#reply + 1] = text(math.max(1, noted, attached))
end
return reply
