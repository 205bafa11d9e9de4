-- The key by which the old scheduler elects its master, and a note of the bridge beside it in the same slot of a Cluster.
-- Every old node that finds the key extends its life, whosever it is: its time to live does not say whether the master lives.
--
-- KEYS: the old key, the note
-- ARGV: what to do, our mark, the format of the value (auto, plain, json), our token, the life of the mark in ms, the name of a master
local MARK = 'election:'
local NOTE_LIFE = 86400000

local doing, mark, wanted, token, life = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function number(value)
  return string.format('%.0f', value)
end

-- What the value says, without the quotes that a serializer puts around a string.
local function read(value)
  if value:sub(1, 1) == '"' then
    local readable, text = pcall(cjson.decode, '[' .. value .. ']')
    if readable and type(text[1]) == 'string' then
      return text[1], 'json'
    end
  end
  return value, 'plain'
end

-- A token is at most a day ahead of the clock: what else is there was written by hand, and would keep every leader away.
local function token_of(value)
  local noted = tonumber(value or '')
  return noted and noted <= now + NOTE_LIFE and noted or nil
end

-- A write that needs no memory: a server that has reached its memory limit refuses others unless the script has written already.
redis.pcall('HDEL', KEYS[2], '')

local value = redis.call('GET', KEYS[1])
local left = redis.call('PTTL', KEYS[1])
local text, format = '', nil
if value then
  text, format = read(value)
end
local ours = text:sub(1, #MARK) == MARK
local old = value and not ours
local found = redis.call('HMGET', KEYS[2], 'token', 'ends', 'seen', 'since', 'format', 'closed')
local noted = token_of(found[1]) or 0
local ends = tonumber(found[2] or '')
local seen = tonumber(found[3] or '')
local since = tonumber(found[4] or '')
local closed = token_of(found[6]) or -1

local function note(...)
  redis.call('HSET', KEYS[2], ...)
  redis.call('PEXPIRE', KEYS[2], NOTE_LIFE)
end

-- Our own life of the mark is one in a hundred shorter than that of the old nodes, so that their renewals show.
local renewed = ours and ends and left > 0 and math.abs(left - (ends - now)) > life / 200
if old or renewed then
  seen = now
  note('seen', number(now), 'since', number(since or now))
end
if old and format ~= found[5] then
  note('format', format)
end

local function reply(outcome)
  local quiet = now - math.max(seen or 0, since or now)
  return { outcome, text, number(left), number(now), number(math.max(0, quiet)), number(noted),
    number(math.max(noted, closed)) }
end

local function write_mark(under)
  local how = wanted ~= 'auto' and wanted or format or found[5] or 'plain'
  local written = life - math.floor(life / 100)
  since = since or now
  redis.call('SET', KEYS[1], how == 'json' and cjson.encode(mark) or mark, 'PX', number(written))
  note('token', under, 'ends', number(now + written), 'since', number(since))
end

local function state()
  if old then
    return reply('old')
  end
  return reply(ours and 'ours' or 'free')
end

if doing == 'look' or old and doing ~= 'take' then
  return state()
end
if doing == 'keep' or doing == 'claim' then
  if noted > tonumber(token) or closed >= tonumber(token) then
    return reply('newer')
  end
  -- Where there is no mark, an old node may be about to write its own: it does that under its lock. One that reads whole seconds finds none
  -- in the last half second of a mark, and at a mark that does not end.
  if doing == 'keep' and (not ours or left < 1000) then
    return reply('free')
  end
  write_mark(token)
  return reply('kept')
end
if doing == 'take' then
  if not old or text ~= ARGV[6] then
    return state()
  end
  write_mark('0')
  return reply('taken')
end
if doing == 'drop' then
  if not ours or text ~= mark or noted ~= tonumber(token) then
    return state()
  end
  redis.call('DEL', KEYS[1])
  redis.call('HDEL', KEYS[2], 'ends')
  note('closed', number(math.max(closed, tonumber(token))))
  return reply('dropped')
end
return redis.error_reply('ERR unknown request ' .. doing)
