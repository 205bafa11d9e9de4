-- The openings of ledgers share this where together.lua runs several of them. It stands behind server.lua.

local text = tostring

local is_first = true

-- Whether Redis has done nothing else for long enough: how large a ledger is, nobody knows before it is read.
local function is_late()
  if is_first then
    is_first = false
    return false
  end
  local time = redis.call('TIME')
  return time[1] * 1000 + time[2] / 1000 > now + 4
end
