-- Grants the lease if it is free, and says who has it otherwise.
--
-- KEYS  1 lease   hash with expiry: candidacy, node, address, token, since
--       2 term    hash: token (the highest granted), closed (the highest released), until (when its lease ends)
--       3 hold    string with expiry: why nobody may be granted now
--       4 line    sorted set: candidacies by the time they joined
--       5 pulse   sorted set: candidacies by the time at which they count as gone
--       6 history list, latest first: token, since, until, reason, node, address, a line each; the last ones empty while it lasts
-- ARGV  1 candidacy  2 node  3 address  4 lease (ms)  5 highest token seen  6 settle time (ms)  7 channel
--       8 how many leaderships to remember
-- Returns  {'granted', token, since, expiry}
--          {'held', node, address, token, since, remaining (ms), rank}
--          {'wait', remaining (ms), rank}

local candidacy, node, address = ARGV[1], ARGV[2], ARGV[3]
local lease, seen, settle, channel = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6]), ARGV[7]
local remembered = tonumber(ARGV[8])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

-- Lua turns a large number into 1.7e+15 unless told otherwise.
local function text(number)
  return string.format('%.0f', number)
end

-- How many candidates stand before this one. Those that have not been heard of for a lease and a half are gone.
local function rank()
  for _, gone in ipairs(redis.call('ZRANGEBYSCORE', KEYS[5], '-inf', text(now), 'LIMIT', 0, 100)) do
    redis.call('ZREM', KEYS[4], gone)
    redis.call('ZREM', KEYS[5], gone)
  end
  redis.call('ZADD', KEYS[4], 'NX', text(now), candidacy)
  redis.call('ZADD', KEYS[5], text(now + lease * 1.5), candidacy)
  redis.call('PEXPIRE', KEYS[4], lease * 3)
  redis.call('PEXPIRE', KEYS[5], lease * 3)
  return text(redis.call('ZRANK', KEYS[4], candidacy))
end

-- A key that somebody has robbed of its expiry would block the election for ever.
local function remaining(key)
  local left = redis.call('PTTL', key)
  if left < 0 then
    redis.call('PEXPIRE', key, lease)
    left = lease
  end
  return left
end

-- A leadership begins. One before that was never released ended with its lease. Whatever is wrong with this list, the grant stands.
local function remember(token, ended)
  local last = redis.pcall('LINDEX', KEYS[6], 0)
  local open, who = string.match(type(last) == 'string' and last or '', '^(%d+\n%d+\n)\n\n(.*)$')
  if open then
    redis.pcall('LSET', KEYS[6], 0, open .. text(math.min(ended, now)) .. '\nEXPIRED\n' .. who)
  end
  redis.pcall('LPUSH', KEYS[6], table.concat({token, text(now), '', '', node, address}, '\n'))
  redis.pcall('LTRIM', KEYS[6], 0, remembered - 1)
end

local held = redis.call('HMGET', KEYS[1], 'candidacy', 'node', 'address', 'token', 'since')

if held[1]
  and held[1] == candidacy -- guard: candidacy
then
  redis.call('PEXPIRE', KEYS[1], lease)
  redis.call('HSET', KEYS[2], 'until', text(now + lease))
  return {'granted', held[4], held[5], text(now + lease)}
end

if held[1] then
  return {'held', held[2], held[3], held[4], held[5], text(remaining(KEYS[1])), rank()}
end

local known = redis.call('HMGET', KEYS[2], 'token', 'closed', 'until')
local term, closed, lasts = tonumber(known[1] or ''), tonumber(known[2] or '') or 0, tonumber(known[3] or '') or 0

-- The store has forgotten what this candidate has seen. Whoever leads gets one full lease to speak up; also when a shorter
-- wait is under way, which somebody began who has seen less.
if (term or 0) < seen then
  local hold = math.max(lease, redis.call('PTTL', KEYS[3]))
  redis.call('HSET', KEYS[2], 'token', text(seen))
  redis.call('SET', KEYS[3], 'forgotten', 'PX', text(hold)) -- guard: quarantine
  redis.pcall('PUBLISH', channel, 'roll-call')
  return {'wait', text(hold), rank()}
end

local hold = redis.call('GET', KEYS[3])
if hold and hold ~= 'reserved:' .. node then
  return {'wait', text(remaining(KEYS[3])), rank()}
end

-- The lease is gone before its time and was not released: deleted by hand or evicted. Its holder may still lead.
local vanished = false
vanished = term and closed < term and lasts > now -- guard: deleted
if vanished then
  redis.call('SET', KEYS[3], 'forgotten', 'PX', text(lasts - now))
  redis.pcall('PUBLISH', channel, 'roll-call')
  return {'wait', text(lasts - now), rank()}
end

-- The first start ever, or a store that has forgotten everything and a candidate that has seen nothing.
if not term and seen == 0 then
  redis.call('HSET', KEYS[2], 'token', '0')
  redis.call('SET', KEYS[3], 'settling', 'PX', text(settle))
  redis.pcall('PUBLISH', channel, 'roll-call')
  return {'wait', text(settle), rank()}
end

local token = text(math.max((term or 0) + 1, seen + 1, now))
redis.call('HSET', KEYS[1], 'candidacy', candidacy, 'node', node, 'address', address, 'token', token, 'since', text(now))
redis.call('PEXPIRE', KEYS[1], lease)
redis.call('HSET', KEYS[2], 'token', token, 'until', text(now + lease))
redis.call('DEL', KEYS[3])
if remembered > 0 then
  remember(token, lasts > 0 and lasts or now)
end
redis.call('ZREM', KEYS[4], candidacy)
redis.call('ZREM', KEYS[5], candidacy)
redis.pcall('PUBLISH', channel, table.concat({'acquired', token, text(now), text(lease), node, address}, '\n'))
return {'granted', token, text(now), text(now + lease)}
