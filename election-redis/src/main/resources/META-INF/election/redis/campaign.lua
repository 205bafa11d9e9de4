-- Grants the lease if it is free, and says who has it otherwise.
--
-- ARGV  1 candidacy  2 node  3 lease (ms)  4 highest token seen  5 channel  6 how many leaderships to remember
--       7 settle time (ms): how long a leader needs to answer a roll call; empty if the wait for that is not to begin yet
--       8 for how long (ms) the connection to the server has lasted
-- Returns  {'granted', token, since, expiry, incarnation, empty if the server does not tell}
--          {'held', node, token, since, remaining (ms), rank}
--          {'wait', remaining (ms), rank}
--          an error NEWERFORMAT if the record was written by a newer version

local candidacy, node, lease, seen = ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local channel, remembered = ARGV[5], tonumber(ARGV[6])
local settle, connected_for = tonumber(ARGV[7]), tonumber(ARGV[8])

local function value(of, name)
  return string.match('\n' .. of, '\n' .. name .. '=([^\n]*)') or ''
end

-- How many candidates stand before this one. Those that have not been heard of for three leases are gone: a living one asks within a
-- lease and a half, and one question of it may be lost.
local function rank()
  for _, gone in ipairs(redis.call('ZRANGEBYSCORE', KEYS[5], '-inf', text(now), 'LIMIT', 0, 100)) do
    redis.call('ZREM', KEYS[4], gone)
    redis.call('ZREM', KEYS[5], gone)
  end
  if redis.call('ZCARD', KEYS[5]) == 0 then
    -- Without expiries no candidate of the queue would ever count as gone. Those that live ask again.
    redis.call('DEL', KEYS[4])
  end
  local latest = text(now + lease * 3)
  for _, ahead in ipairs(redis.call('ZRANGEBYSCORE', KEYS[5], '(' .. latest, '+inf', 'LIMIT', 0, 100)) do
    redis.call('ZADD', KEYS[5], latest, ahead)
  end
  redis.call('ZADD', KEYS[5], latest, candidacy)
  local rank = redis.call('ZRANK', KEYS[4], candidacy)
  if not rank then
    local last = redis.call('ZRANGE', KEYS[4], -1, -1, 'WITHSCORES')
    redis.call('ZADD', KEYS[4], text(math.max(now, (tonumber(last[2] or '') or 0) + 1)), candidacy)
    rank = redis.call('ZCARD', KEYS[4]) - 1
  end
  expire(KEYS[4], lease * 6)
  expire(KEYS[5], lease * 6)
  return text(rank)
end

local function wait(length)
  return {'wait', text(length), rank()}
end

local function roll_call(length)
  call_roll(channel)
  return wait(length)
end

-- A leadership that was never released ended with its lease. Whatever is wrong with this list, the grant stands.
local function expire_last(ended)
  local last = redis.pcall('LINDEX', KEYS[6], 0)
  local open, who = string.match(type(last) == 'string' and last or '', '^(%d+\n%d+\n)\n\n(.*)$')
  if open then
    redis.pcall('LSET', KEYS[6], 0, open .. text(math.min(ended, now)) .. '\nEXPIRED\n' .. who)
  end
end

open_record(lease, channel, true)
if record.newer_format then
  return record.newer_format
end

local held, epoch = record.lease, record.epoch
local is_mine = held
  and held.candidacy == candidacy -- guard: candidacy

if held and not is_mine then
  local mine, holders = value(node, 'application'), value(held.node, 'application')
  if mine ~= '' and holders ~= '' and mine ~= holders then
    -- The holder learns of it by its renewals.
    redis.call('HSET', KEYS[1], 'other', mine, 'other-until', text(now + math.floor(lease * 1.5)))
  end
  return {'held', held.node, text(held.token), text(held.since), text(held.ends - now), rank()}
end

local delay = record.lock_delay
local locked = delay and delay.reserved_for ~= value(node, 'id') and delay.ends - now or 0

-- Where the server does not tell its incarnation, only a connection proves that it is the one that answered a lease ago.
local unproven = record.incarnation and 0 or math.max(0, lease - connected_for) -- guard: connection

if is_mine then
  -- Granted in a past that came back with old data, perhaps: then others may have been granted newer tokens since.
  local blocked = math.max(unproven, locked) -- guard: restored
  if blocked > 0 then
    return wait(blocked)
  end
  -- No grant of a whole lease has reached this candidacy in time: it does not keep the others out for longer.
  if now - held.since >= lease then -- guard: overdue
    return wait(held.ends - now)
  end
  extend_lease(lease)
  extend_epoch(held.token, lease)
  return {'granted', text(held.token), text(held.since), text(now + lease), record.incarnation or ''}
end

-- The store has forgotten what this candidate has seen. Nobody is granted the lease for its full length, in which a living
-- leader renews; also during a shorter lock delay, which a candidate that has seen less began.
if (epoch.token or 0) < seen then -- guard: quarantine
  local length = lock('forgotten', lease)
  write_epoch('token', text(seen))
  return roll_call(length)
end

if locked > 0 then
  return wait(locked)
end

-- Without a roll call: those who have seen a token would answer with a campaign, and that with another roll call. An idle connection
-- may be closed before it is old enough, so it is used meanwhile.
if unproven > 0 then
  return wait(math.min(unproven, math.floor(lease / 3), 15000))
end

-- The lease is gone before its time and was not released: deleted by hand or evicted. Its holder may still lead.
if epoch.token and epoch.closed < epoch.token and epoch.ends > now then -- guard: deleted
  return roll_call(lock('forgotten', epoch.ends - now))
end

-- The first start ever, or a store that has forgotten everything and a candidate that has seen nothing.
if not epoch.token and seen == 0 then
  if not settle then
    return wait(lease)
  end
  -- Where the user may not call, a leader is waited for as long as it may live.
  local is_called = call_roll(channel)
  local length = lock('settling', is_called and settle or lease) -- guard: unheard
  write_epoch('token', '0')
  return wait(length)
end

local token = math.max((epoch.token or 0) + 1, seen + 1, now)
write_lease(candidacy, node, token, now, lease)
extend_epoch(token, lease)
redis.call('DEL', KEYS[3])
if remembered > 0 then
  expire_last(epoch.ends > 0 and epoch.ends or now)
  remember(token, now, node, remembered)
end
redis.call('ZREM', KEYS[4], candidacy)
redis.call('ZREM', KEYS[5], candidacy)
publish_acquired(channel, token, now, lease, node)
return {'granted', text(token), text(now), text(now + lease), record.incarnation or ''}
