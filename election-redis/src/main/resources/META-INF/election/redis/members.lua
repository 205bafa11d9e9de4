-- What the scripts of the members share; it is put before each of them, behind common.lua.
--
-- KEYS  1 roster    hash: id (of this list of members), number (of its latest change), floor (the number of the latest leaving that is
--                   forgotten), format (of all these keys)
--       2 texts     hash: of a member the number with which it joined, how long it lasts (ms), a line end and its text; of one that is gone, why,
--                   and the number of that change
--       3 ends      sorted set: members by when they expire (ms)
--       4 versions  sorted set: members, and those that are gone, by the number of their latest change
--       5 gone      sorted set: those that are gone, by when (ms)
--       6 as 5, so that there are as many as for an election
--
-- A beat grants nothing. All of this may be lost: members register themselves again with their next beat.

local MOST_AT_ONCE = 100
local MOST_GONE = 1000
local GONE_FOR = 600000
local KEPT = 86400000
local LONGEST = 32 * 86400000

local roster

-- Whatever can be of another type is read before anything is written: a request that fails has changed nothing.
local function open_roster(instance)
  local found = redis.call('HMGET', KEYS[1], 'id', 'number', 'floor', 'format')
  local newer = newer_format(found[4]) -- guard: format
  if newer then
    return newer
  end
  redis.call('HGET', KEYS[2], instance)
  redis.call('ZCARD', KEYS[3])
  redis.call('ZCARD', KEYS[5])
  local latest = number(redis.call('ZRANGE', KEYS[4], -1, -1, 'WITHSCORES')[2]) or 0 -- guard: latest
  roster = {id = found[1], number = math.max(number(found[2]) or 0, latest), floor = number(found[3]) or 0}
  if not roster.id or not number(found[2]) then
    roster.id = text(now) .. '-' .. instance -- guard: lost
    roster.changed = true
  end
  -- Data that was restored is another list.
  roster.name = roster.id .. ':' .. (read_incarnation() or '') -- guard: incarnation
  write_something()
end

-- An abandoned prefix disappears by itself. An entry may last for longer than the latest one.
local function close_roster(lasts)
  local last = number(redis.call('ZRANGE', KEYS[3], -1, -1, 'WITHSCORES')[2]) or now
  if roster.changed then
    redis.call('HSET', KEYS[1], 'id', roster.id, 'number', text(roster.number), 'floor', text(roster.floor), 'format', FORMAT)
  end
  for i = 1, 5 do
    expire(KEYS[i], math.max(KEPT, 2 * lasts, 2 * (last - now))) -- guard: kept
  end
end

local function tell(channel, version, instance, what)
  redis.pcall('PUBLISH', channel, table.concat({'member', roster.name, version, instance, what}, '\n'))
end

local function note_change(channel, instance, what)
  roster.number = roster.number + 1
  roster.changed = true
  local version = text(roster.number)
  redis.call('ZADD', KEYS[4], version, instance)
  tell(channel, version, instance, what)
  return version
end

local function remove(channel, instance, why)
  redis.call('ZREM', KEYS[3], instance)
  redis.call('ZADD', KEYS[5], text(now), instance)
  local version = note_change(channel, instance, why)
  redis.call('HSET', KEYS[2], instance, why .. ' ' .. version)
end

-- Those whose time is over, a bounded number at once.
local function remove_overdue(channel)
  for _, instance in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', '(' .. text(now), 'LIMIT', 0, MOST_AT_ONCE)) do
    remove(channel, instance, 'EXPIRED') -- guard: overdue
  end
end

-- An end further ahead than a beat lasts: the clock has gone back. The ends of orders to drain a node lie behind those of all members.
local function correct_ends()
  local last = redis.call('ZRANGE', KEYS[3], -MOST_AT_ONCE, -1, 'WITHSCORES')
  for i = #last - 1, 1, -2 do
    local stored = redis.call('HGET', KEYS[2], last[i])
    local lasts = math.min(number(string.match(stored or '', '^%d+ (%d+)\n')) or 0, LONGEST)
    if (number(last[i + 1]) or math.huge) > now + lasts then
      redis.call('ZADD', KEYS[3], text(now + lasts), last[i]) -- guard: clock
    elseif string.sub(last[i], 1, 6) ~= 'drain:' then -- guard: order
      return
    end
  end
end

local function forget(instance)
  local version = string.match(redis.call('HGET', KEYS[2], instance) or '', '^%u+ (%d+)$')
  roster.floor = math.max(roster.floor, number(version) or roster.number) -- guard: floor
  roster.changed = true
  redis.call('ZREM', KEYS[5], instance)
  redis.call('ZREM', KEYS[4], instance)
  -- Where the user may not run it, a few bytes remain.
  redis.pcall('HDEL', KEYS[2], instance)
end

-- Those that have been gone for long, and the first of too many.
local function forget_old()
  for _, instance in ipairs(redis.call('ZRANGEBYSCORE', KEYS[5], '-inf', text(now - GONE_FOR), 'LIMIT', 0, MOST_AT_ONCE)) do
    forget(instance) -- guard: gone_for
  end
  local excess = math.min(redis.call('ZCARD', KEYS[5]) - MOST_GONE, MOST_AT_ONCE)
  if excess > 0 then
    for _, instance in ipairs(redis.call('ZRANGE', KEYS[5], 0, excess - 1)) do
      forget(instance) -- guard: most_gone
    end
  end
end
