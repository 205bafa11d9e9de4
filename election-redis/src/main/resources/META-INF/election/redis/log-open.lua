-- Opens the book in which leaders write for their successors, and shuts out older leaders.
--
-- KEYS  1 log   hash: 'token' (of the leader that opened it last) and the entries
-- ARGV  1 token
-- Returns  {'known' or 'new', name, value, name, value, ...}
--          {'superseded'}

local token = tonumber(ARGV[1])
local last = tonumber(redis.call('HGET', KEYS[1], 'token') or '')

if last
  and last > token -- guard: newer
then
  return {'superseded'}
end

local reply = {last and 'known' or 'new'}
local fields = redis.call('HGETALL', KEYS[1])
for i = 1, #fields, 2 do
  if fields[i] ~= 'token' then
    reply[#reply + 1] = fields[i]
    reply[#reply + 1] = fields[i + 1]
  end
end
redis.call('HSET', KEYS[1], 'token', ARGV[1])
return reply
