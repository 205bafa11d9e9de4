-- The lock of the old scheduler, in the format of Redisson: a hash with its owner as the only field, and a channel on which a release is
-- announced to those who wait.
--
-- KEYS: the lock
-- ARGV: what to do, the owner, how long the lock lasts in ms, the channel
local doing, owner = ARGV[1], ARGV[2]

-- A write that needs no memory: a server that has reached its memory limit refuses others unless the script has written already.
redis.pcall('HDEL', KEYS[1], '')

if doing == 'release' then
  if redis.call('HEXISTS', KEYS[1], owner) == 1 then
    redis.call('DEL', KEYS[1])
    -- In a Cluster of Redis 7 and newer Redisson listens to the channel of the shard. A user may lack the permission for the channel: who
    -- waits then gives up this check.
    redis.pcall('PUBLISH', ARGV[4], '0')
    redis.pcall('SPUBLISH', ARGV[4], '0')
    return { 'released' }
  end
  return { 'lost' }
end
local held = redis.call('EXISTS', KEYS[1]) == 1
if held and redis.call('HEXISTS', KEYS[1], owner) == 0 then
  return { 'held', tostring(redis.call('PTTL', KEYS[1])) }
end
if doing == 'acquire' then
  redis.call('HSET', KEYS[1], owner, '1')
  redis.call('PEXPIRE', KEYS[1], ARGV[3])
  return { 'acquired' }
end
return { 'free' }
