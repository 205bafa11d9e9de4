-- Opens the ledger in which leaders write for their successors, and shuts out older leaders.
--
-- KEYS  1 ledger   hash: 'token' (of the leader that opened it last), 'store' (the incarnation of the server), 'since' (from when on it
--                  has lost nothing, ms) and the entries
-- ARGV  1 token  2 what to add to the time of a loss: slots are named by the clocks of nodes, ms
-- Returns  {'known' or 'new', for how long it, or of a new one the server, has lost nothing (negative: not before so much later), the present time (ms),
--           name, value, name, value, ...}
--          {'superseded'}

local token, allowance = tonumber(ARGV[1]), tonumber(ARGV[2])
local last = tonumber(redis.call('HGET', KEYS[1], 'token') or '')

if last
  and last > token -- guard: newer
then
  return {'superseded'}
end

-- A server that may have lost something has done so before its present incarnation; one that can't tell, maybe just now.
local incarnation, unchanged_for = read_incarnation()
local since = number(redis.call('HGET', KEYS[1], 'since'))
if not last then
  since = now
elseif not incarnation then
  since = now + allowance
elseif not since or incarnation ~= redis.call('HGET', KEYS[1], 'store') then
  since = now - unchanged_for + allowance
end

-- A server tells its uptime in whole seconds. What came after its start must not look lost: a job of a process that has just begun, too.
local intact_for = last and now - since or incarnation and unchanged_for + 2000 or 0
local reply = {last and 'known' or 'new', tostring(intact_for), tostring(now)}
local fields = redis.call('HGETALL', KEYS[1])
for i = 1, #fields, 2 do
  if fields[i] ~= 'token' and fields[i] ~= 'store' and fields[i] ~= 'since' then
    reply[#reply + 1] = fields[i]
    reply[#reply + 1] = fields[i + 1]
  end
end
redis.call('HSET', KEYS[1], 'token', ARGV[1], 'store', incarnation or '', 'since', tostring(since))
return reply
