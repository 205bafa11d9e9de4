-- Extends the lease for the candidacy and token that hold it, and for no other. Establishes it again, with the same token, if
-- the store has forgotten it while it was still valid.
--
-- KEYS  1 lease  2 term  3 hold  4 line  5 pulse  6 history   (as in campaign.lua)
-- ARGV  1 candidacy  2 node  3 address  4 lease (ms)  5 token  6 since  7 expiry as the last good reply said  8 channel
--       9 how many leaderships to remember
-- Returns  {'renewed', expiry}
--          {'lost'}
--          {'lost', node, address, token, since, remaining (ms), rank}

local candidacy, node, address, lease = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local token, since, expiry, channel = tonumber(ARGV[5]), ARGV[6], tonumber(ARGV[7]), ARGV[8]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function text(number)
  return string.format('%.0f', number)
end

local held = redis.call('HMGET', KEYS[1], 'candidacy', 'node', 'address', 'token', 'since')

if held[1]
  and held[1] == candidacy -- guard: owner
  and tonumber(held[4]) == token -- guard: token
then
  redis.call('PEXPIRE', KEYS[1], lease)
  redis.call('HSET', KEYS[2], 'token', text(token), 'until', text(now + lease))
  return {'renewed', text(now + lease)}
end

if held[1] then
  local left = math.max(0, redis.call('PTTL', KEYS[1]))
  return {'lost', held[2], held[3], held[4], held[5], text(left), text(redis.call('ZCARD', KEYS[4]))}
end

local term = redis.call('HMGET', KEYS[2], 'token', 'closed')

if true
  and expiry > now -- guard: expiry
  and (tonumber(term[1] or '') or 0) <= token -- guard: superseded
  and (tonumber(term[2] or '') or 0) < token -- guard: closed
then
  redis.call('HSET', KEYS[1], 'candidacy', candidacy, 'node', node, 'address', address, 'token', text(token), 'since', since)
  redis.call('PEXPIRE', KEYS[1], lease)
  redis.call('HSET', KEYS[2], 'token', text(token), 'until', text(now + lease))
  -- Requests from before the store forgot may still be under way: whoever comes next waits until they are worthless.
  redis.call('SET', KEYS[3], 'forgotten', 'PX', text(lease)) -- guard: aftermath
  -- The history may be lost with the lease, or still tell of it.
  local last = redis.pcall('LINDEX', KEYS[6], 0)
  local known = string.match(type(last) == 'string' and last or '', '^%d+')
  if known ~= text(token) and tonumber(ARGV[9]) > 0 then
    redis.pcall('LPUSH', KEYS[6], table.concat({text(token), since, '', '', node, address}, '\n'))
  end
  redis.pcall('PUBLISH', channel, table.concat({'acquired', text(token), since, text(lease), node, address}, '\n'))
  return {'renewed', text(now + lease)}
end

return {'lost'}
