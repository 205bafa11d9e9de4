-- Changes entries of the book that this leader has opened.
--
-- KEYS  1 log   (as in log-open.lua)
-- ARGV  1 token  2 how many names to remove  3... these names, then the names and values to put
-- Returns  {'written'}, {'forgotten'} if the book is lost, {'superseded'} if a newer leader has opened it

local token, removed = tonumber(ARGV[1]), tonumber(ARGV[2])
local last = tonumber(redis.call('HGET', KEYS[1], 'token') or '')

if not last then -- guard: forgotten
  return {'forgotten'}
end
if last > token then -- guard: newer
  return {'superseded'}
end

for i = 3, 2 + removed do
  redis.call('HDEL', KEYS[1], ARGV[i])
end
for i = 3 + removed, #ARGV, 2 do
  redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
end
return {'written'}
