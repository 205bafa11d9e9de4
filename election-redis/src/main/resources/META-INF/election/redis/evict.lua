-- Takes the lease away from whoever holds it under that token, which need not hear of it: marks the token as closed so that no
-- renewal brings it back. Whoever is evicted believes that it leads until it asks, or until its own deadline.
--
-- ARGV  1 token  2 successor, empty for any  3 reserve (ms)  4 channel
--       5 cooldown (ms): how long the evicted node is to stay out; it learns that from its next renewal
-- Returns  {'evicted'} or {'not-held'}

local token, successor, reserve, channel = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3]), ARGV[4]

local held = redis.call('HGET', KEYS[1], 'token')
local holds = held
  and tonumber(held) == token -- guard: token

if not holds then
  return {'not-held'}
end

redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[2], 'closed', text(token)) -- guard: closed
redis.call('HSET', KEYS[2], 'evicted', text(token), 'cooldown', ARGV[5])
if successor ~= '' and reserve > 0 then
  -- Never in place of a hold that is there to keep everybody out.
  redis.call('SET', KEYS[3], text(reserve) .. ' reserved:' .. successor, 'PX', text(reserve), 'NX')
end
conclude(token, 'EVICTED')
redis.pcall('PUBLISH', channel, table.concat({'released', text(token), text(reserve), successor}, '\n'))
return {'evicted'}
