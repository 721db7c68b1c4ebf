"""Lua for the runs that wait, and for who wants a run. See ``stores/redis_scripts.py`` for the store's own."""

from __future__ import annotations

from underhood.stores.redis_scripts import COMMON

KEEP_INTEREST = 24 * 3600  # seconds that it is kept who wants a run: longer than any run takes

# KEYS waiting; ARGV run, most. How many wait ahead, or nothing if the queue is full.
ADMIT = (
    COMMON
    + """
local ahead = redis.call('ZCARD', KEYS[1])
if ahead >= tonumber(ARGV[2]) then return false end
redis.call('ZADD', KEYS[1], after(KEYS[1]), ARGV[1])
return ahead
"""
)

# KEYS waiting notifications; ARGV prefix of all keys, free slots, slots, seconds that a run takes or nothing.
# Those that have moved get an event that says where they are now.
ADVANCE = (
    COMMON
    + """
local p = ARGV[1]
for rank, id in ipairs(redis.call('ZRANGE', KEYS[1], 0, -1)) do
  local run, interest = p .. 'run:' .. id, p .. 'interest:' .. id
  local position = math.max(0, rank - 1 - ARGV[2])
  local known = redis.call('HGET', interest, 'position')
  if known and tonumber(known) > position and redis.call('HGET', run, 'status') == 'queued' then
    redis.call('HSET', interest, 'position', position)
    local wait = 'null'
    if ARGV[4] ~= '' then wait = string.format('%.1f', ARGV[4] * (position + 1) / ARGV[3]) end
    local data = string.format('{"kind": "queued", "position": %d, "wait": %s}', position, wait)
    add(id, run, p .. 'log:' .. id, KEYS[2], {'queued', data})
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
