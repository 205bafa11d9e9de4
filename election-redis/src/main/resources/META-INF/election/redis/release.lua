-- Ends a candidacy: frees the lease if it holds it, marks its token as closed so that no late renewal brings it back, and
-- leaves the line of candidates.
--
-- ARGV  1 candidacy  2 token, empty if it was granted none that it knows of  3 expiry as the last good reply said, or 0
--       4 successor, empty for any  5 reserve (ms)  6 channel  7 lease (ms)  8 reason, for the history
-- Returns  {'released'} or {'not-held'}

local candidacy, token, expiry = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local successor, reserve, channel, lease = ARGV[4], tonumber(ARGV[5]), ARGV[6], tonumber(ARGV[7])

redis.call('ZREM', KEYS[4], candidacy)
redis.call('ZREM', KEYS[5], candidacy)

local held = redis.call('HMGET', KEYS[1], 'candidacy', 'token')
local term = redis.call('HMGET', KEYS[2], 'token', 'closed')
local highest, closed = tonumber(term[1] or '') or 0, tonumber(term[2] or '') or 0

local holds = held[1]
  and held[1] == candidacy -- guard: owner
  and (not token or tonumber(held[2]) == token) -- guard: token

-- The store has forgotten a lease that was still valid: nobody can have been granted one since, so it may still be closed.
local forgotten = not held[1] and token
  and expiry > now -- guard: expiry
  and highest <= token -- guard: superseded
  and closed < token -- guard: closed

if not holds and not forgotten then
  return {'not-held'}
end

local freed = token or tonumber(held[2])
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[2], 'token', text(math.max(highest, freed)), 'closed', text(freed))
if forgotten then
  -- Other requests from before the store forgot may still be under way: as after a renewal that brought a lease back.
  keep_out('forgotten', lease) -- guard: aftermath
elseif successor ~= '' and reserve > 0 then
  -- Never in place of a hold that is there to keep everybody out.
  redis.call('SET', KEYS[3], text(reserve) .. ' reserved:' .. successor, 'PX', text(reserve), 'NX')
end
conclude(freed, ARGV[8])
redis.pcall('PUBLISH', channel, table.concat({'released', text(freed), text(reserve), successor}, '\n'))
return {'released'}
