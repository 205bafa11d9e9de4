-- Extends the lease for the candidacy and token that hold it, and for no other. Establishes it again, with the same token, if
-- the store has forgotten it while it was still valid, or has an older one that came back with old data.
--
-- ARGV  1 candidacy  2 node  3 address  4 lease (ms)  5 token  6 since  7 expiry as the last good reply said  8 channel
--       9 how many leaderships to remember
-- Returns  {'renewed', expiry}
--          {'lost'}
--          {'lost', node, address, token, since, remaining (ms), rank}

local candidacy, node, address, lease = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local token, since, expiry, channel = tonumber(ARGV[5]), ARGV[6], tonumber(ARGV[7]), ARGV[8]

local term, closed = open_record(channel, lease)

local held = redis.call('HMGET', KEYS[1], 'candidacy', 'node', 'address', 'token', 'since', 'lease')

if held[1]
  and held[1] == candidacy -- guard: owner
  and tonumber(held[4]) == token -- guard: token
then
  redis.call('PEXPIRE', KEYS[1], lease)
  redis.call('HSET', KEYS[2], 'token', text(token), 'until', text(now + lease), 'lease', text(lease))
  return {'renewed', text(now + lease)}
end

-- The holder of an older token ceased to believe before the newer one was granted.
local is_older = false
is_older = held[1] and (tonumber(held[4] or '') or 0) < token -- guard: newer
if held[1] and not is_older then
  local left = remaining(KEYS[1], tonumber(held[6] or '') or lease)
  return {'lost', held[2], held[3], held[4], held[5], text(left), text(redis.call('ZCARD', KEYS[4]))}
end

if true
  and expiry > now -- guard: expiry
  and (term or 0) <= token -- guard: superseded
  and closed < token -- guard: closed
then
  redis.call('HSET', KEYS[1], 'candidacy', candidacy, 'node', node, 'address', address, 'token', text(token), 'since', since, 'lease', text(lease))
  redis.call('PEXPIRE', KEYS[1], lease)
  redis.call('HSET', KEYS[2], 'token', text(token), 'until', text(now + lease), 'lease', text(lease))
  -- Requests from before the store forgot may still be under way: whoever comes next waits until they are worthless.
  keep_out('forgotten', lease) -- guard: aftermath
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
