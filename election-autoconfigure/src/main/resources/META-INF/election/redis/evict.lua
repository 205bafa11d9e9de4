-- Takes the lease away from whoever holds it under that token, which need not hear of it: marks the token as closed so that no
-- renewal brings it back. Whoever is evicted believes that it leads until it asks, or until its own deadline.
--
-- KEYS  1 lease  2 term  3 hold  4 line  5 pulse  6 history   (as in campaign.lua)
-- ARGV  1 token  2 successor, empty for any  3 reserve (ms)  4 channel
-- Returns  {'evicted'} or {'not-held'}

local token, successor, reserve, channel = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3]), ARGV[4]
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function text(number)
  return string.format('%.0f', number)
end

local held = redis.call('HGET', KEYS[1], 'token')
local holds = held
  and tonumber(held) == token -- guard: token

if not holds then
  return {'not-held'}
end

redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[2], 'closed', text(token)) -- guard: closed
if successor ~= '' and reserve > 0 then
  -- Never in place of a hold that is there to keep everybody out.
  redis.call('SET', KEYS[3], 'reserved:' .. successor, 'PX', text(reserve), 'NX')
end
local last = redis.pcall('LINDEX', KEYS[6], 0)
local open, who = string.match(type(last) == 'string' and last or '', '^(' .. text(token) .. '\n%d+\n)\n\n(.*)$')
if open then
  redis.pcall('LSET', KEYS[6], 0, open .. text(now) .. '\nEVICTED\n' .. who)
end
redis.pcall('PUBLISH', channel, table.concat({'released', text(token), text(reserve), successor}, '\n'))
return {'evicted'}
