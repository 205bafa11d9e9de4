-- Ends a candidacy: frees the lease if it holds it, marks its token as closed so that no late renewal brings it back, and
-- leaves the queue of candidates.
--
-- ARGV  1 candidacy  2 token, empty if it was granted none that it knows of  3 expiry as the last good reply said, or 0
--       4 successor, empty for any  5 how long the lease is kept for it (ms)  6 channel  7 lease (ms)  8 reason and
--       9 who asked for it, both for the history
-- Returns  {'released'} or {'not-held'}, or an error NEWERFORMAT if the record was written by a newer version

local candidacy, token, expiry = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local successor, reserved, channel, lease = ARGV[4], tonumber(ARGV[5]), ARGV[6], tonumber(ARGV[7])

open_record(lease, nil, true)
if record.newer_format then
  return record.newer_format
end

redis.call('ZREM', KEYS[4], candidacy)
redis.call('ZREM', KEYS[5], candidacy)

local held, epoch = record.lease, record.epoch
local highest = epoch.token or 0

local holds = held
  and held.candidacy == candidacy -- guard: owner
  and (not token or held.token == token) -- guard: token

-- The store has forgotten a lease that was still valid: nobody can have been granted one since, so it may still be closed.
local forgotten = not held and token
  and expiry > now -- guard: expiry
  and highest <= token -- guard: superseded
  and epoch.closed < token -- guard: closed

if not holds and not forgotten then
  return {'not-held'}
end

local freed = token or held.token
redis.call('DEL', KEYS[1])
if forgotten then
  -- Other requests from before the store forgot may still be under way: as after a renewal that brought a lease back.
  lock('forgotten', lease) -- guard: aftermath
end
write_epoch('token', text(math.max(highest, freed)), 'closed', text(math.max(epoch.closed, freed)))
if not forgotten then
  reserve(successor, reserved)
end
conclude(freed, ARGV[8], ARGV[9])
publish_released(channel, freed, reserved, successor)
return {'released'}
