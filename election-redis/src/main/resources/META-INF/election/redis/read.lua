-- Says how the election stands and who led before. Changes nothing.
--
-- Returns  {'read', now, node, token, since, remaining (ms), entry of the history, ...}
--          with empty values for the leader if there is none
--          an error NEWERFORMAT if the record was written by a newer version

local epoch = redis.call('HMGET', KEYS[2], 'until', 'format')
local newer = newer_format(epoch[2])
if newer then
  return newer
end

local held = redis.call('HMGET', KEYS[1], 'node', 'token', 'since', 'lease', 'until')
local length, token = length_of(held[4]), number(held[2]) or 0
local left = held[1] and token > 0 and (number(held[5]) or now + (length or 0)) - now or -1
left = math.min(left, length or left)
local leads = left >= 0
local answer = {'read', text(now), leads and held[1] or '', leads and text(token) or '', leads and text(number(held[3]) or now) or '',
  text(math.max(0, left))}

local last_end = number(epoch[1]) or now
local history = redis.pcall('LRANGE', KEYS[6], 0, -1)
for index, entry in ipairs(history) do
  local token, since, who = string.match(entry, '^(%d+)\n(%d+)\n\n\n(.*)$')
  if token and not (leads and token == held[2]) then
    -- Never released, and held no more: it ended with its lease.
    entry = table.concat({token, since, text(math.min(last_end, now)), 'EXPIRED', who}, '\n')
  end
  answer[6 + index] = entry
end
return answer
