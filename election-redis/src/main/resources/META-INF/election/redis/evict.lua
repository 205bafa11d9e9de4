-- Takes the lease away from the node that holds it under that token, which need not answer: marks the token as closed so that no
-- renewal brings it back. The evicted node believes that it leads until it asks, or until its own deadline.
--
-- ARGV  1 token  2 successor, empty for any  3 how long the lease is kept for it (ms)  4 channel
--       5 cooldown (ms): how long the evicted node cools down; it learns of that by its next renewal
--       6 who asked for it, for the history
-- Returns  {'evicted'} or {'not-held'}, or an error NEWERFORMAT if the record was written by a newer version

local token, successor, reserved, channel = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3]), ARGV[4]

open_record()
if record.newer_format then
  return record.newer_format
end

local holds = record.lease
  and record.lease.token == token -- guard: token

if not holds then
  return {'not-held'}
end

redis.call('DEL', KEYS[1])
local epoch = record.epoch
write_epoch('token', text(math.max(epoch.token or 0, token)), 'evicted', text(token), 'cooldown', ARGV[5],
  'closed', text(math.max(epoch.closed, token))) -- guard: closed
reserve(successor, reserved)
conclude(token, 'EVICTED', ARGV[6])
publish_released(channel, token, reserved, successor)
return {'evicted'}
