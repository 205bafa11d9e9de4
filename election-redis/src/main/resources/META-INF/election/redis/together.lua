-- Runs several scripts of the protocol, or of the ledgers, each for an election of its own and as if it had come alone: whatever is wrong with
-- one fails alone.
-- It stands behind what they share and behind the scripts themselves, which are the functions of the table alone and see KEYS and ARGV as they
-- are set here.
--
-- KEYS     as in common.lua, or the ledger, for one election after the other
-- ARGV  1  of how many elections  then for each: name of the script, how many arguments it has, and these: '=' is what the election before
--          has at that place, and what begins with '=' has another before it
-- Returns  how long it took (us); then for each: of how many strings its reply consists, and these; an error is {'error', text}

local function microseconds()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end

local begun = microseconds()
local all_keys, all_arguments = KEYS, ARGV
local elections = tonumber(all_arguments[1])
local keys_of_each = #all_keys / elections

local function take_keys(first)
  for i = 1, keys_of_each do
    KEYS[i] = all_keys[first + i - 1]
  end
end

local function take_arguments(first, count)
  for i = 1, count do
    local argument = all_arguments[first + i - 1]
    if argument ~= '=' then
      ARGV[i] = string.byte(argument) == 61 and string.sub(argument, 2) or argument
    end
  end
end

local function run(name)
  local succeeded, reply = pcall(alone[name])
  if succeeded and not reply.err then
    return reply
  end
  return {'error', type(reply) == 'table' and reply.err or tostring(reply)}
end

KEYS, ARGV = {}, {}
local replies, next_argument = {''}, 2
for i = 1, elections do
  local name, count = all_arguments[next_argument], tonumber(all_arguments[next_argument + 1])
  take_keys((i - 1) * keys_of_each + 1)
  take_arguments(next_argument + 2, count)
  next_argument = next_argument + 2 + count
  local reply = run(name)
  replies[#replies + 1] = tostring(#reply)
  for part = 1, #reply do
    replies[#replies + 1] = reply[part]
  end
end
replies[1] = text(microseconds() - begun)
return replies
