-- Extends the lease for the candidacy and token that hold it, and for no other. Establishes it again, with the same token, if
-- the store has forgotten it while it was still valid, or has an older one that came back with old data.
--
-- ARGV  1 candidacy  2 node  3 lease (ms)  4 token  5 since  6 expiry as the last good reply said  7 channel
--       8 how many leaderships to remember
-- Returns  {'renewed', expiry, another application that campaigns here, empty if none does}
--          {'lost', cooldown}
--          {'lost', cooldown, node, token, since, remaining (ms), rank}
--          with an empty cooldown unless the lease was taken away by force: then the node cools down for that long (ms)
--          an error NEWERFORMAT if the record was written by a newer version

local candidacy, node, lease = ARGV[1], ARGV[2], tonumber(ARGV[3])
local token, since, expiry = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local channel, remembered = ARGV[7], tonumber(ARGV[8])

-- Whether all is as the grant or the last renewal has left it, with nothing beside it, as nearly every renewal finds it.
local function is_as_left()
  local epoch = redis.call('HMGET', KEYS[2], 'token', 'lease', 'format', 'incarnation')
  if epoch[3] ~= text(FORMAT) or epoch[1] ~= ARGV[4] or epoch[2] ~= ARGV[3] then
    return false
  end
  local held = redis.call('HMGET', KEYS[1], 'candidacy', 'token', 'lease', 'until', 'node', 'other-until')
  local ends, visited_until = tonumber(held[4] or '') or 0, tonumber(held[6] or '') or 0
  return held[5] and held[3] == ARGV[3]
    and held[1] == candidacy -- guard: unchanged_owner
    and held[2] == ARGV[4] -- guard: unchanged_token
    and ends >= now -- guard: unchanged_end
    and visited_until <= now -- guard: unchanged_visitor
    and epoch[4] == (read_incarnation() or epoch[4]) -- guard: unchanged_incarnation
    and not redis.call('GET', KEYS[3]) -- guard: unchanged_lock_delay
end

-- Then nothing changes but the two ends, and a whole record need not be read: a script of many renewals takes two thirds of the time.
if is_as_left() then
  expire(KEYS[1], lease)
  redis.call('HSET', KEYS[1], 'until', text(now + lease))
  redis.call('HSET', KEYS[2], 'until', text(now + lease))
  return {'renewed', text(now + lease), ''}
end

open_record(lease, channel)
if record.newer_format then
  return record.newer_format
end

local held, epoch = record.lease, record.epoch
local cooldown = epoch.evicted == text(token) and epoch.cooldown or ''

if held
  and held.candidacy == candidacy -- guard: owner
  and held.token == token -- guard: token
then
  extend_lease(lease)
  extend_epoch(token, lease)
  return {'renewed', text(now + lease), held.other}
end

-- The holder of an older token ceased to believe before the newer one was granted.
if held and held.token >= token then -- guard: newer
  -- Whatever is wrong with the queue, a leader that has lost hears of it.
  local rank = text(tonumber(redis.pcall('ZCARD', KEYS[4])) or 0)
  return {'lost', cooldown, held.node, text(held.token), text(held.since), text(held.ends - now), rank}
end

local forgotten = expiry > now -- guard: expiry
  and (epoch.token or 0) <= token -- guard: superseded
  and epoch.closed < token -- guard: closed

if forgotten then
  write_something()
  -- Requests from before the store forgot may still be under way: whoever comes next waits until they are worthless.
  lock('forgotten', lease) -- guard: aftermath
  write_lease(candidacy, node, token, since, lease)
  extend_epoch(token, lease)
  -- The history may be lost with the lease, or still tell of it.
  local last = redis.pcall('LINDEX', KEYS[6], 0)
  local known = string.match(type(last) == 'string' and last or '', '^%d+')
  if known ~= text(token) and remembered > 0 then
    remember(token, since, node, remembered)
  end
  publish_acquired(channel, token, since, lease, node)
  return {'renewed', text(now + lease), ''}
end

return {'lost', cooldown}
