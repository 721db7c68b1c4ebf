"""Lua for the runs that wait, and for who wants a run. See ``stores/redis_scripts.py`` for the store's own."""

from __future__ import annotations

from underhood.stores.redis_scripts import COMMON

KEEP_INTEREST = 24 * 3600  # seconds that it is kept who wants a run: longer than any run takes

# Of each device: a sorted set of those that wait; a hash of those that were called, as their turn had come, and
# have not ended, with what their reader was charged in seconds (and ``b`` for one in the background), and the
# reader; a hash from reader to seconds used, on the scale of the turn; the turn, the seconds of the reader
# whose run was called last; and a hash from reader to seconds used of late, and by when. Order and background are
# those of ``runs/device_queue.py``.

QUEUE = (
    COMMON
    + """
-- What a reader was charged, whether the run is in the background, and the reader.
local function charge(called)
  local seconds, behind, reader = string.match(called or '', '^([^%sb]+)(b?) (.*)$')
  return seconds, behind == 'b', reader
end

-- Seconds that each reader has used, half of what is so long ago forgotten.
local function lately(recent, half)
  local clock, used, known = redis.call('TIME'), {}, redis.call('HGETALL', recent)
  local now = clock[1] + clock[2] / 1000000
  for n = 1, #known, 2 do
    local seconds, moment = string.match(known[n + 1], '^(%S+) (%S+)$')
    used[known[n]] = seconds * 2 ^ -(math.max(0, now - moment) / half)  -- clocks are set back, too
  end
  return used, now
end
"""
)

# KEYS waiting called interest; ARGV run, most, slots. How many wait ahead, below zero if slots are left besides, or
# nothing if the queue is full.
ADMIT = (
    QUEUE
    + f"""
local free = tonumber(ARGV[3])
for _, called in ipairs(redis.call('HVALS', KEYS[2])) do
  local _, behind = charge(called)
  if not behind then free = free - 1 end
end
local ahead = redis.call('ZCARD', KEYS[1]) - math.max(0, free)
if ahead >= tonumber(ARGV[2]) then return false end
redis.call('ZADD', KEYS[1], after(KEYS[1]), ARGV[1])
if ahead >= 0 then
  redis.call('HSET', KEYS[3], 'position', ahead)
  redis.call('EXPIRE', KEYS[3], {KEEP_INTEREST})
end
return ahead
"""
)

# KEYS waiting called used turn interest; ARGV run, reader, 1 if it measures. 1 if the run's turn has come already.
ENTER = (
    COMMON
    + f"""
if redis.call('HEXISTS', KEYS[2], ARGV[1]) == 1 then return 1 end
redis.call('ZADD', KEYS[1], 'NX', after(KEYS[1]), ARGV[1])
if redis.call('HSETNX', KEYS[5], 'reader', ARGV[2]) == 1 then
  redis.call('HSETNX', KEYS[3], ARGV[2], redis.call('GET', KEYS[4]) or 0)
  redis.call('HSET', KEYS[5], 'measures', ARGV[3])
  redis.call('EXPIRE', KEYS[5], {KEEP_INTEREST})
end
return false
"""
)

# KEYS waiting called used turn recent notifications; ARGV prefix of all keys, slots, seconds that a run takes or
# nothing, runs that may be in the background, seconds from which on a reader's are, half-life of what was used,
# seconds up to which readers are even. The runs whose turn has come; those whose position has changed get an event
# that says where they are now.
CALL = (
    QUEUE
    + """
local p, slots, seconds = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local expected, turn, even = seconds or 1, tonumber(redis.call('GET', KEYS[4]) or 0), tonumber(ARGV[7])
local used, known = {}, redis.call('HGETALL', KEYS[3])
for n = 1, #known, 2 do used[known[n]] = tonumber(known[n + 1]) end

local busy, running, background = {}, 0, 0
for _, called in ipairs(redis.call('HVALS', KEYS[2])) do
  local _, behind, reader = charge(called)
  busy[reader] = (busy[reader] or 0) + 1
  running = running + 1
  if behind then background = background + 1 end
end

local line, ahead = {}, {}
for n, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  local reader = redis.call('HGET', p .. 'interest:' .. id, 'reader')
  line[n] = {id = id, reader = reader, status = redis.call('HGET', p .. 'run:' .. id, 'status'), n = n}
end

local function order()
  local least = math.huge
  for _, each in ipairs(line) do
    if each.reader then least = math.min(least, used[each.reader] or turn) end
  end
  table.sort(line, function(a, b) return a.n < b.n end)
  ahead = {}
  for _, each in ipairs(line) do
    each.turn = math.huge  -- it is on its way here
    if each.reader then
      local behind = ahead[each.reader] or 0
      each.turn = math.max(least + even, (used[each.reader] or turn) + behind * expected)
      ahead[each.reader] = behind + 1
    end
  end
  table.sort(line, function(a, b) return a.turn < b.turn or (a.turn == b.turn and a.n < b.n) end)
end

local beside, far, recent = tonumber(ARGV[4]), tonumber(ARGV[5]), lately(KEYS[5], ARGV[6])
local function yields(reader, interest)
  if reader == '' or beside == 0 or redis.call('HGET', interest, 'measures') == '1' then return false end
  local sum, others = 0, 0
  for name, seconds in pairs(recent) do
    if name ~= reader then sum, others = sum + seconds, others + 1 end
  end
  return (recent[reader] or 0) > far + sum / math.max(1, others)
end

-- While there are several slots no reader holds them all, except the owner of the machine.
local function may_start(reader, behind)
  if behind then return background < beside and running < slots end
  return reader == '' or (busy[reader] or 0) < math.max(1, slots - 1)
end

local called = {}
local function start()
  order()
  if running - background >= slots then return false end
  for at, each in ipairs(line) do
    local reader = each.reader
    local live = reader and (each.status == 'queued' or each.status == 'running')
    local behind = live and yields(reader, p .. 'interest:' .. each.id)
    if live and may_start(reader, behind) then
      running = running + 1
      if behind then background = background + 1 end
      called[#called + 1] = each.id
      busy[reader] = (busy[reader] or 0) + 1
      turn = math.max(turn, used[reader] or turn)
      used[reader] = (used[reader] or turn) + expected
      redis.call('ZREM', KEYS[1], each.id)
      redis.call('HSET', KEYS[2], each.id, string.format('%.17g%s %s', expected, behind and 'b' or '', reader))
      table.remove(line, at)
      return true
    end
  end
end
while start() do end

for n, each in ipairs(line) do
  local interest, position = p .. 'interest:' .. each.id, n - 1
  local told = tonumber(redis.call('HGET', interest, 'position') or -1)
  if each.reader and each.status == 'queued' and told ~= position then  -- one on its way has no turn to tell yet
    redis.call('HSET', interest, 'position', position)
    local wait = seconds and string.format('%.1f', seconds * (position + 1) / slots) or 'null'
    local data = string.format('{"kind": "queued", "position": %d, "wait": %s}', position, wait)
    add(each.id, p .. 'run:' .. each.id, p .. 'log:' .. each.id, KEYS[6], {'queued', data})
  end
end

redis.call('SET', KEYS[4], turn)
for reader, seconds in pairs(used) do
  if busy[reader] or ahead[reader] or seconds > turn then
    redis.call('HSET', KEYS[3], reader, seconds)
  else
    redis.call('HDEL', KEYS[3], reader)
  end
end
return called
"""
)

# KEYS waiting called interest; ARGV run. It executes, whether or not its turn was known to have come. 1 if it
# does so in the background.
TAKE = (
    QUEUE
    + """
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('HSETNX', KEYS[2], ARGV[1], '0 ' .. (redis.call('HGET', KEYS[3], 'reader') or ''))
local _, behind = charge(redis.call('HGET', KEYS[2], ARGV[1]))
return behind
"""
)

# KEYS waiting called used recent; ARGV run, seconds that it took, half-life of what was used. It neither waits nor
# executes any longer.
LEAVE_QUEUE = (
    QUEUE
    + """
redis.call('ZREM', KEYS[1], ARGV[1])
local charged, _, reader = charge(redis.call('HGET', KEYS[2], ARGV[1]))
if not charged then return end
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('HINCRBYFLOAT', KEYS[3], reader, ARGV[2] - charged)
local recent, now = lately(KEYS[4], ARGV[3])
recent[reader] = (recent[reader] or 0) + ARGV[2]
for name, seconds in pairs(recent) do
  if seconds > 0.01 then
    redis.call('HSET', KEYS[4], name, string.format('%.17g %.6f', seconds, now))
  else
    redis.call('HDEL', KEYS[4], name)
  end
end
"""
)

# KEYS run interest notifications; ARGV run, reason. Status and attempt, or nothing if it has ended or is being
# cancelled already.
CANCEL = f"""
if redis.call('HGET', KEYS[1], 'ended') ~= '' then return false end
if redis.call('HSETNX', KEYS[2], 'cancel', ARGV[2]) == 0 then return false end
redis.call('EXPIRE', KEYS[2], {KEEP_INTEREST})
redis.call('XADD', KEYS[3], 'MAXLEN', '~', 2000, '*', 'cancel', ARGV[1])
return redis.call('HMGET', KEYS[1], 'status', 'attempt')
"""

# KEYS run interest readers; ARGV how many names, names, web processes that live. Takes back the ask of the first of
# the names that has one. 1 if nobody else has asked for the run or reads it, but for one reader of these names.
LEAVE = """
if redis.call('HGET', KEYS[1], 'ended') ~= '' then return false end
local names, asked = {}, false
for n = 2, 1 + ARGV[1] do
  local ask = 'ask ' .. ARGV[n]
  names[ARGV[n]] = true
  if not asked and redis.call('HEXISTS', KEYS[2], ask) == 1 then
    asked = true
    if redis.call('HINCRBY', KEYS[2], ask, -1) <= 0 then redis.call('HDEL', KEYS[2], ask) end
  end
end
if names[''] and not asked then return 1 end
for _, field in ipairs(redis.call('HKEYS', KEYS[2])) do
  if string.sub(field, 1, 4) == 'ask ' then return false end
end
local webs, own = {}, 0
for n = 2 + ARGV[1], #ARGV do webs[ARGV[n]] = true end
local readers = redis.call('HGETALL', KEYS[3])
for n = 1, #readers, 2 do
  local web, name = string.match(readers[n], '^(%S*) (.*)$')
  if webs[web] and not names[name] then return false end
  if webs[web] then own = own + readers[n + 1] end
end
return own <= 1 and 1
"""
