"""Lua for the runs that wait, and for who wants a run. See ``stores/redis_scripts.py`` for the store's own."""

from __future__ import annotations

from underhood.stores.redis_scripts import COMMON

KEEP_INTEREST = 24 * 3600  # seconds that it is kept who wants a run: longer than any run takes

# Of each device: a sorted set of those that wait; a hash of those that were called, as their turn had come, and
# have not ended, with what their reader was charged in seconds, and the reader; a hash from reader to seconds used,
# on the scale of the turn; and the turn, the seconds of the reader whose run was called last. The order is that of
# ``runs/device_queue.py``.

# KEYS waiting called interest; ARGV run, most, slots. How many wait ahead, below zero if slots are left besides, or
# nothing if the queue is full.
ADMIT = (
    COMMON
    + f"""
local ahead = redis.call('ZCARD', KEYS[1]) - math.max(0, ARGV[3] - redis.call('HLEN', KEYS[2]))
if ahead >= tonumber(ARGV[2]) then return false end
redis.call('ZADD', KEYS[1], after(KEYS[1]), ARGV[1])
if ahead >= 0 then
  redis.call('HSET', KEYS[3], 'position', ahead)
  redis.call('EXPIRE', KEYS[3], {KEEP_INTEREST})
end
return ahead
"""
)

# KEYS waiting called used turn interest; ARGV run, reader. 1 if the run's turn has come already.
ENTER = (
    COMMON
    + f"""
if redis.call('HEXISTS', KEYS[2], ARGV[1]) == 1 then return 1 end
redis.call('ZADD', KEYS[1], 'NX', after(KEYS[1]), ARGV[1])
if redis.call('HSETNX', KEYS[5], 'reader', ARGV[2]) == 1 then
  local used, turn = redis.call('HGET', KEYS[3], ARGV[2]), redis.call('GET', KEYS[4])
  redis.call('HSET', KEYS[3], ARGV[2], math.max(used or 0, turn or 0))
  redis.call('EXPIRE', KEYS[5], {KEEP_INTEREST})
end
return false
"""
)

# KEYS waiting called used turn notifications; ARGV prefix of all keys, slots, seconds that a run takes or nothing.
# The runs whose turn has come; those whose position has changed get an event that says where they are now.
CALL = (
    COMMON
    + """
local p, slots, seconds = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local expected, turn = seconds or 1, tonumber(redis.call('GET', KEYS[4]) or 0)
local used, known = {}, redis.call('HGETALL', KEYS[3])
for n = 1, #known, 2 do used[known[n]] = tonumber(known[n + 1]) end

local busy, running = {}, redis.call('HVALS', KEYS[2])
for _, charge in ipairs(running) do
  local reader = string.match(charge, ' (.*)$')
  busy[reader] = (busy[reader] or 0) + 1
end

local line, ahead = {}, {}
for n, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  local reader = redis.call('HGET', p .. 'interest:' .. id, 'reader')
  local status = redis.call('HGET', p .. 'run:' .. id, 'status')
  local each = {id = id, reader = reader, status = status, n = n, turn = math.huge}  -- it is on its way here
  if reader then
    each.turn = (used[reader] or turn) + (ahead[reader] or 0) * expected
    ahead[reader] = (ahead[reader] or 0) + 1
  end
  line[n] = each
end
table.sort(line, function(a, b) return a.turn < b.turn or (a.turn == b.turn and a.n < b.n) end)

-- While there are several slots no reader holds them all, except the owner of the machine.
local function may_start(reader)
  return reader == '' or (busy[reader] or 0) < math.max(1, slots - 1)
end

local called, position, free = {}, 0, slots - #running
for _, each in ipairs(line) do
  local reader, interest = each.reader, p .. 'interest:' .. each.id
  local live = each.status == 'queued' or each.status == 'running'
  if free > 0 and reader and live and may_start(reader) then
    free = free - 1
    called[#called + 1] = each.id
    busy[reader] = (busy[reader] or 0) + 1
    turn = math.max(turn, used[reader] or turn)
    used[reader] = (used[reader] or turn) + expected
    redis.call('ZREM', KEYS[1], each.id)
    redis.call('HSET', KEYS[2], each.id, string.format('%.17g ', expected) .. reader)
  else
    local told = tonumber(redis.call('HGET', interest, 'position') or -1)
    if reader and each.status == 'queued' and told ~= position then  -- one on its way has no turn to tell yet
      redis.call('HSET', interest, 'position', position)
      local wait = seconds and string.format('%.1f', seconds * (position + 1) / slots) or 'null'
      local data = string.format('{"kind": "queued", "position": %d, "wait": %s}', position, wait)
      add(each.id, p .. 'run:' .. each.id, p .. 'log:' .. each.id, KEYS[5], {'queued', data})
    end
    position = position + 1
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

# KEYS waiting called interest; ARGV run. It executes, whether or not its turn was known to have come.
TAKE = """
redis.call('ZREM', KEYS[1], ARGV[1])
redis.call('HSETNX', KEYS[2], ARGV[1], '0 ' .. (redis.call('HGET', KEYS[3], 'reader') or ''))
"""

# KEYS waiting called used; ARGV run, seconds that it took. It neither waits nor executes any longer.
LEAVE_QUEUE = """
redis.call('ZREM', KEYS[1], ARGV[1])
local charged, reader = string.match(redis.call('HGET', KEYS[2], ARGV[1]) or '', '^(%S+) (.*)$')
if charged then
  redis.call('HDEL', KEYS[2], ARGV[1])
  redis.call('HINCRBYFLOAT', KEYS[3], reader, ARGV[2] - charged)
end
"""

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
