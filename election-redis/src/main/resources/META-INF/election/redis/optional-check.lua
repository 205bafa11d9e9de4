-- Runs every command whose refusal the scripts of the protocol survive, and changes nothing.
--
-- KEYS  as in common.lua
-- ARGV  1 channel  2 how many leaderships are remembered
-- Returns  {'checked', command, error, command, error, ...}
--          {'unknown'} while there is no record of the election, without which one of them would change something

if not redis.call('HGET', KEYS[2], 'token') then
  return {'unknown'}
end

local reply = {'checked'}

local function try(command, ...)
  local answer = redis.pcall(command, ...)
  if type(answer) == 'table' and answer.err then
    reply[#reply + 1] = command
    reply[#reply + 1] = answer.err
  end
end

try('PUBLISH', ARGV[1], '')
if tonumber(ARGV[2]) > 0 then
  try('LINDEX', KEYS[6], 0)
  try('LRANGE', KEYS[6], 0, 0)
  try('LTRIM', KEYS[6], 0, -1)
  try('LSET', KEYS[6], 2147483647, '') -- longer than any list
  try('LPUSH', KEYS[2], '') -- of another type
end
return reply
