-- The openings of ledgers share this where together.lua runs several of them. It stands behind server.lua.

local text = tostring

local is_first, was_late = true, false

-- Whether Redis has done nothing else for long enough: how large a ledger is, nobody knows before it is read. Once it is late, it stays late,
-- whatever happens to the clock.
local function is_late()
  local time = redis.call('TIME')
  was_late = was_late or not is_first and time[1] * 1000 + time[2] / 1000 > now + 4
  is_first = false
  return was_late
end
