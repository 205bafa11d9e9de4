-- Removes a member that stops.
--
-- ARGV  1 instance  2 channel
-- Returns  {'left'}; an error NEWERFORMAT if a newer version has written the keys

local newer = open_roster(ARGV[1])
if newer then
  return newer
end
if redis.call('ZRANK', KEYS[3], ARGV[1]) then -- guard: there
  remove(ARGV[2], ARGV[1], 'STOPPED')
  close_roster(0)
end
return {'left'}
