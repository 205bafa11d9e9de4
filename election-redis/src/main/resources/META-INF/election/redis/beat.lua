-- Registers a member or keeps it registered, removes those whose time is over, and tells what has changed since the reader's version.
--
-- ARGV  1 instance  2 its text  3 how long it lasts (ms)  4 roster, 5 number and 6 beginning of the reader's version  7 channel
-- Returns  {'beaten', roster, number, beginning, 'all' or '', 'more' or '', then for each change: instance, number, when it joined or
--           empty if it is gone, its text or why it is gone}
--          an error NEWERFORMAT if a newer version has written the keys

local BYTES_OF_A_REPLY = 16384

local instance, lasts, channel = ARGV[1], tonumber(ARGV[3]), ARGV[7]

local newer = open_roster(instance)
if newer then
  return newer
end

local function register()
  local stored = redis.call('HGET', KEYS[2], instance)
  local joined, lasted, before = string.match(stored or '', '^(%d+) (%d+)\n(.*)$')
  redis.call('ZADD', KEYS[3], text(now + lasts), instance)
  if joined
    and before == ARGV[2] -- guard: text
    and lasted == ARGV[3] -- guard: lasts
    and redis.call('ZRANK', KEYS[4], instance) -- guard: version
  then
    return -- guard: same
  end
  if not joined then
    joined = text(roster.number + 1)
    redis.call('ZREM', KEYS[5], instance) -- guard: returned
  end
  redis.call('HSET', KEYS[2], instance, joined .. ' ' .. ARGV[3] .. '\n' .. ARGV[2])
  note_change(channel, instance, joined .. '\n' .. ARGV[2])
end

local function changes(reply, from, begun)
  local found = redis.call('ZRANGEBYSCORE', KEYS[4], '(' .. text(from), '+inf', 'WITHSCORES', 'LIMIT', 0, 2 * MOST_AT_ONCE)
  local bytes, reached = 0, from
  for i = 1, #found, 2 do
    local version = number(found[i + 1]) or roster.number
    local stored = redis.call('HGET', KEYS[2], found[i]) or 'EXPIRED'
    local joined, said = string.match(stored, '^(%d+) %d+\n(.*)$')
    bytes = bytes + #stored
    if bytes > BYTES_OF_A_REPLY and reached > from then
      return reached -- guard: bytes
    end
    reached = version
    -- Who left before the copy was begun was never in it.
    if joined or version > begun then -- guard: begun
      reply[#reply + 1] = found[i]
      reply[#reply + 1] = text(version)
      reply[#reply + 1] = joined or ''
      reply[#reply + 1] = said or string.match(stored, '^%u+') or 'EXPIRED'
    end
  end
  return #found < 4 * MOST_AT_ONCE and roster.number or reached -- guard: changes
end

remove_overdue(channel)
correct_ends()
register()
forget_old()
close_roster(lasts)

local known, begun = number(ARGV[5]) or 0, number(ARGV[6]) or 0
local all = ARGV[4] ~= roster.name -- guard: roster
  or known > roster.number -- guard: ahead
  or math.max(known, begun) < roster.floor -- guard: forgotten
if all then
  known, begun = 0, roster.number
end
local reply = {'beaten', roster.name, '', text(begun), all and 'all' or '', ''}
local reached = known < roster.number and changes(reply, known, begun) or known
reply[3] = text(reached)
reply[6] = reached < roster.number and 'more' or ''
return reply
