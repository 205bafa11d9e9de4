-- Ends a candidacy: frees the lease if it holds it, marks its token as closed so that no late renewal brings it back, and
-- leaves the line of candidates.
--
-- KEYS  1 lease  2 term  3 hold  4 line  5 pulse  6 history   (as in campaign.lua)
-- ARGV  1 candidacy  2 token, empty if it was granted none that it knows of  3 expiry as the last good reply said, or 0
--       4 successor, empty for any  5 reserve (ms)  6 channel  7 lease (ms)  8 reason, for the history
-- Returns  {'released'} or {'not-held'}

local candidacy, token, expiry = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local successor, reserve, channel, lease = ARGV[4], tonumber(ARGV[5]), ARGV[6], ARGV[7]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function text(number)
  return string.format('%.0f', number)
end

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
  redis.call('SET', KEYS[3], 'forgotten', 'PX', lease) -- guard: aftermath
elseif successor ~= '' and reserve > 0 then
  -- Never in place of a hold that is there to keep everybody out.
  redis.call('SET', KEYS[3], 'reserved:' .. successor, 'PX', text(reserve), 'NX')
end
local last = redis.pcall('LINDEX', KEYS[6], 0)
local open, who = string.match(type(last) == 'string' and last or '', '^(' .. text(freed) .. '\n%d+\n)\n\n(.*)$')
if open then
  redis.pcall('LSET', KEYS[6], 0, open .. text(now) .. '\n' .. ARGV[8] .. '\n' .. who)
end
redis.pcall('PUBLISH', channel, table.concat({'released', text(freed), text(reserve), successor}, '\n'))
return {'released'}
