-- Extends the lease for the candidacy and token that hold it, and for no other. Establishes it again, with the same token, if
-- the store has forgotten it while it was still valid, or has an older one that came back with old data.
--
-- ARGV  1 candidacy  2 node  3 address  4 lease (ms)  5 token  6 since  7 expiry as the last good reply said  8 channel
--       9 how many leaderships to remember
--       10 name of the application, empty if it has none
-- Returns  {'renewed', expiry, another application that campaigns here, empty if none does}
--          {'lost', cooldown}
--          {'lost', cooldown, node, address, token, since, remaining (ms), rank, application}
--          with an empty cooldown unless the lease was taken away by force: then the node is to stay out for that long (ms)

local candidacy, node, address, lease = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local token, since, expiry, channel = tonumber(ARGV[5]), ARGV[6], tonumber(ARGV[7]), ARGV[8]
local application = ARGV[10]

local function cooldown()
  local eviction = redis.call('HMGET', KEYS[2], 'evicted', 'cooldown')
  return eviction[1] == text(token) and eviction[2] or ''
end

local term, closed = open_record(channel, lease)

local held = redis.call(
  'HMGET', KEYS[1], 'candidacy', 'node', 'address', 'token', 'since', 'lease', 'application', 'other', 'other-until')

if held[1]
  and held[1] == candidacy -- guard: owner
  and tonumber(held[4]) == token -- guard: token
then
  redis.call('PEXPIRE', KEYS[1], lease)
  redis.call('HSET', KEYS[2], 'token', text(token), 'until', text(now + lease), 'lease', text(lease))
  local other = (tonumber(held[9] or '') or 0) > now and held[8] or ''
  return {'renewed', text(now + lease), other}
end

-- The holder of an older token ceased to believe before the newer one was granted.
local is_older = false
is_older = held[1] and (tonumber(held[4] or '') or 0) < token -- guard: newer
if held[1] and not is_older then
  local left = remaining(KEYS[1], tonumber(held[6] or '') or lease)
  local line = text(redis.call('ZCARD', KEYS[4]))
  return {'lost', cooldown(), held[2], held[3], held[4], held[5], text(left), line, held[7] or ''}
end

if true
  and expiry > now -- guard: expiry
  and (term or 0) <= token -- guard: superseded
  and closed < token -- guard: closed
then
  redis.call('HSET', KEYS[1], 'candidacy', candidacy, 'node', node, 'address', address, 'token', text(token), 'since', since, 'lease', text(lease), 'application', application)
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
  return {'renewed', text(now + lease), ''}
end

return {'lost', cooldown()}
