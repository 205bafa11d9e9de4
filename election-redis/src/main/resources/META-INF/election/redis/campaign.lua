-- Grants the lease if it is free, and says who has it otherwise.
--
-- ARGV  1 candidacy  2 node  3 address  4 lease (ms)  5 highest token seen  6 channel  7 how many leaderships to remember
--       8 settle time (ms): how long a leader needs to answer a roll call
--       9 return time (ms): how long a leader needs to do so where it may have to connect again first
--       10 for how long (ms) the connection to the server has lasted  11 name of the application, empty if it has none
-- Returns  {'granted', token, since, expiry}
--          {'held', node, address, token, since, remaining (ms), rank, application}
--          {'wait', remaining (ms), rank}

local candidacy, node, address = ARGV[1], ARGV[2], ARGV[3]
local lease, seen, channel, remembered = tonumber(ARGV[4]), tonumber(ARGV[5]), ARGV[6], tonumber(ARGV[7])
local settle, comeback, connected_for, application = tonumber(ARGV[8]), tonumber(ARGV[9]), tonumber(ARGV[10]), ARGV[11]

-- How many candidates stand before this one. Those that have not been heard of for a lease and a half are gone.
local function rank()
  for _, gone in ipairs(redis.call('ZRANGEBYSCORE', KEYS[5], '-inf', text(now), 'LIMIT', 0, 100)) do
    redis.call('ZREM', KEYS[4], gone)
    redis.call('ZREM', KEYS[5], gone)
  end
  if redis.call('ZCARD', KEYS[5]) == 0 then
    -- Nobody in that line could be told to be gone any more; whoever is not asks again.
    redis.call('DEL', KEYS[4])
  end
  local latest = text(now + lease * 1.5)
  for _, ahead in ipairs(redis.call('ZRANGEBYSCORE', KEYS[5], '(' .. latest, '+inf', 'LIMIT', 0, 100)) do
    redis.call('ZADD', KEYS[5], latest, ahead)
  end
  redis.call('ZADD', KEYS[4], 'NX', text(now), candidacy)
  redis.call('ZADD', KEYS[5], latest, candidacy)
  redis.call('PEXPIRE', KEYS[4], lease * 3)
  redis.call('PEXPIRE', KEYS[5], lease * 3)
  return text(redis.call('ZRANK', KEYS[4], candidacy))
end

local function wait(length)
  return {'wait', text(length), rank()}
end

local function roll_call(length)
  redis.pcall('PUBLISH', channel, 'roll-call')
  return wait(length)
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

local term, closed, lasts = open_record(channel, lease)

local held = redis.call('HMGET', KEYS[1], 'candidacy', 'node', 'address', 'token', 'since', 'lease', 'application')
local is_mine = held[1]
  and held[1] == candidacy -- guard: candidacy

if held[1] and not is_mine then
  local holder = held[7] or ''
  if application ~= '' and holder ~= '' and application ~= holder then
    -- The holder learns of it by its renewals.
    redis.call('HSET', KEYS[1], 'other', application, 'other-until', text(now + lease * 1.5))
  end
  local left = remaining(KEYS[1], tonumber(held[6] or '') or lease)
  return {'held', held[2], held[3], held[4], held[5], text(left), rank(), holder}
end

local hold, reserved_for = read_hold(lease)
if reserved_for == node then
  hold = 0
end

-- Where the server does not tell its incarnation, only a connection proves that it is the one that answered a lease ago.
local unproven = 0
unproven = incarnation and 0 or math.max(0, lease - connected_for) -- guard: connection

if is_mine then
  -- Granted in a past that came back with old data, perhaps: then others may have been granted newer tokens since.
  local blocked = unproven
  blocked = math.max(unproven, hold) -- guard: restored
  if blocked > 0 then
    return wait(blocked)
  end
  -- No grant of a whole lease has reached this candidacy in time: it does not keep the others out for longer.
  local overdue = false
  overdue = now - (tonumber(held[5]) or now) >= lease -- guard: overdue
  if overdue then
    return wait(remaining(KEYS[1], lease))
  end
  redis.call('PEXPIRE', KEYS[1], lease)
  redis.call('HSET', KEYS[2], 'until', text(now + lease), 'lease', text(lease))
  return {'granted', held[4], held[5], text(now + lease)}
end

-- The store has forgotten what this candidate has seen. Whoever leads gets one full lease to speak up; also when a shorter
-- wait is under way, which somebody began who has seen less.
if (term or 0) < seen then
  redis.call('HSET', KEYS[2], 'token', text(seen))
  hold = lease
  hold = keep_out('forgotten', lease) -- guard: quarantine
  return roll_call(hold)
end

if hold > 0 then
  return wait(hold)
end

-- Without a roll call: those who have seen a token would answer with a campaign, and that with another roll call. An idle connection
-- may be closed before it is old enough, so it is used meanwhile.
if unproven > 0 then
  return wait(math.min(unproven, lease / 3, 15000))
end

-- The lease is gone before its time and was not released: deleted by hand or evicted. Its holder may still lead.
local vanished = false
vanished = term and closed < term and lasts > now -- guard: deleted
if vanished then
  return roll_call(keep_out('forgotten', lasts - now))
end

-- The first start ever, or a store that has forgotten everything and a candidate that has seen nothing.
if not term and seen == 0 then
  local length = settle
  length = unchanged_for >= lease and settle or comeback -- guard: comeback
  redis.call('HSET', KEYS[2], 'token', '0')
  return roll_call(keep_out('settling', length))
end

local token = text(math.max((term or 0) + 1, seen + 1, now))
redis.call('HSET', KEYS[1], 'candidacy', candidacy, 'node', node, 'address', address, 'token', token, 'since', text(now), 'lease', text(lease), 'application', application)
redis.call('PEXPIRE', KEYS[1], lease)
redis.call('HSET', KEYS[2], 'token', token, 'until', text(now + lease), 'lease', text(lease))
redis.call('DEL', KEYS[3])
if remembered > 0 then
  remember(token, lasts > 0 and lasts or now)
end
redis.call('ZREM', KEYS[4], candidacy)
redis.call('ZREM', KEYS[5], candidacy)
redis.pcall('PUBLISH', channel, table.concat({'acquired', token, text(now), text(lease), node, address}, '\n'))
return {'granted', token, text(now), text(now + lease)}
