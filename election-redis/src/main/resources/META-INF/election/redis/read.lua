-- Says how the election stands and who led before. Changes nothing.
--
-- Returns  {'read', now, node, address, token, since, remaining (ms), entry of the history, ...}
--          with empty values for the leader if there is none

local held = redis.call('HMGET', KEYS[1], 'node', 'address', 'token', 'since', 'lease')
local left = math.max(0, redis.call('PTTL', KEYS[1]))
left = math.min(left, tonumber(held[5] or '') or left)
local answer = {'read', text(now), held[1] or '', held[2] or '', held[3] or '', held[4] or '', text(left)}

local history = redis.pcall('LRANGE', KEYS[6], 0, -1)
for index, entry in ipairs(history) do
  local token, since, who = string.match(entry, '^(%d+)\n(%d+)\n\n\n(.*)$')
  if token and token ~= held[3] then
    -- Never released, and held no more: it ended with its lease.
    local ended = tonumber(redis.call('HGET', KEYS[2], 'until') or '') or now
    entry = table.concat({token, since, text(math.min(ended, now)), 'EXPIRED', who}, '\n')
  end
  answer[7 + index] = entry
end
return answer
