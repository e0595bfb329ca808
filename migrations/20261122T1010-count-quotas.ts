import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<unknown>): Promise<void> {
  await leaveNoEmptyCounters(db);
  await countDistinct(db);
  await takeQuota(db);
  await findKnownNetwork(db);
  for (const signature of [
    'reserve_attempt(bytea[], integer[], integer[], timestamptz, boolean)',
    'reserve_distinct(bytea, bytea, integer, integer, timestamptz)',
    'release_distinct(bytea, bytea)',
    'take_quota(bytea[], integer[], integer[], integer[], timestamptz)',
  ]) {
    await forTheAppOnly(db, signature);
  }
}

/** An attempt that is refused leaves no row: a flood of made-up addresses would leave two for each of them. */
async function leaveNoEmptyCounters(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE OR REPLACE FUNCTION reserve_attempt(p_keys bytea[], p_limits integer[], p_seconds integer[],
                                               p_now timestamptz, p_hold boolean DEFAULT false)
    RETURNS integer -- seconds to wait; 0: reserved; -1: attempts that are in flight hold the last places
    LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
    AS $$
    DECLARE
      v_rule record; v_attempts integer; v_held integer; v_ends timestamptz; v_wait integer := 0; v_taken boolean := false;
    BEGIN
      FOR v_rule IN
        SELECT * FROM unnest(p_keys, p_limits, p_seconds) AS rule(key, allowed, seconds) ORDER BY key
      LOOP
        INSERT INTO throttle_counters AS c (key, attempts, window_ends_at)
        VALUES (v_rule.key, 0, p_now + make_interval(secs => v_rule.seconds))
        ON CONFLICT (key) DO UPDATE SET
          attempts = CASE WHEN c.window_ends_at <= p_now THEN 0 ELSE c.attempts END,
          under_way = CASE WHEN c.window_ends_at <= p_now THEN 0 ELSE c.under_way END,
          window_ends_at = CASE WHEN c.window_ends_at <= p_now
            THEN excluded.window_ends_at ELSE c.window_ends_at END
        RETURNING c.attempts, c.under_way, c.window_ends_at INTO v_attempts, v_held, v_ends;
        CONTINUE WHEN v_attempts < v_rule.allowed;
        IF p_hold AND v_attempts - v_held < v_rule.allowed THEN
          v_taken := true;
        ELSE
          v_wait := greatest(v_wait, ceil(extract(epoch FROM v_ends - p_now))::integer, 1);
        END IF;
      END LOOP;
      IF v_wait > 0 OR v_taken THEN
        -- This transaction holds the locks on all of these rows.
        DELETE FROM throttle_counters WHERE key = ANY (p_keys) AND attempts = 0 AND under_way = 0;
        RETURN CASE WHEN v_wait > 0 THEN v_wait ELSE -1 END;
      END IF;
      UPDATE throttle_counters SET attempts = attempts + 1, under_way = under_way + p_hold::integer
      WHERE key = ANY (p_keys);
      RETURN 0;
    END $$`.execute(db);
}

/**
 * Counts the distinct members of a set, such as the addresses that a network tries: a member has a row of its own until
 * the window ends. The counter's row is locked first, so that members side by side never pass the limit together.
 */
async function countDistinct(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION reserve_distinct(p_counter bytea, p_member bytea, p_limit integer, p_seconds integer,
                                     p_now timestamptz, OUT wait integer, OUT is_new boolean)
    LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
    AS $$
    DECLARE v_attempts integer; v_ends timestamptz;
    BEGIN
      INSERT INTO throttle_counters AS c (key, attempts, window_ends_at)
      VALUES (p_counter, 0, p_now + make_interval(secs => p_seconds))
      ON CONFLICT (key) DO UPDATE SET
        attempts = CASE WHEN c.window_ends_at <= p_now THEN 0 ELSE c.attempts END,
        under_way = 0,
        window_ends_at = CASE WHEN c.window_ends_at <= p_now THEN excluded.window_ends_at ELSE c.window_ends_at END
      RETURNING c.attempts, c.window_ends_at INTO v_attempts, v_ends;
      wait := 0;
      is_new := NOT EXISTS (SELECT FROM throttle_counters WHERE key = p_member AND window_ends_at > p_now);
      IF NOT is_new THEN RETURN; END IF;
      IF v_attempts >= p_limit THEN
        wait := greatest(ceil(extract(epoch FROM v_ends - p_now))::integer, 1);
        is_new := false;
        RETURN;
      END IF;
      INSERT INTO throttle_counters AS c (key, attempts, window_ends_at) VALUES (p_member, 1, v_ends)
      ON CONFLICT (key) DO UPDATE SET attempts = 1, window_ends_at = excluded.window_ends_at;
      UPDATE throttle_counters SET attempts = attempts + 1 WHERE key = p_counter;
    END $$`.execute(db);
  await sql`
    CREATE FUNCTION release_distinct(p_counter bytea, p_member bytea) RETURNS void
    LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
    AS $$
    BEGIN
      PERFORM FROM throttle_counters WHERE key = p_counter FOR UPDATE;
      DELETE FROM throttle_counters WHERE key = p_member;
      UPDATE throttle_counters SET attempts = greatest(attempts - 1, 0) WHERE key = p_counter AND FOUND;
    END $$`.execute(db);
}

/**
 * Takes from all of a caller's quotas, or, when any is used up, from none, and returns what is left of each: clients
 * learn it from the RateLimit headers. A quota counts what it is a quota of: requests, or bytes.
 */
async function takeQuota(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION take_quota(p_keys bytea[], p_limits integer[], p_seconds integer[], p_costs integer[],
                               p_now timestamptz)
    RETURNS TABLE (key bytea, remaining integer, resets_in integer, is_short boolean)
    LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp
    AS $$
    #variable_conflict use_column
    DECLARE v_rule record; v_used integer; v_ends timestamptz; v_short boolean := false;
    BEGIN
      FOR v_rule IN
        SELECT * FROM unnest(p_keys, p_limits, p_seconds, p_costs) AS rule(key, allowed, seconds, cost) ORDER BY key
      LOOP
        INSERT INTO throttle_counters AS c (key, attempts, window_ends_at)
        VALUES (v_rule.key, 0, p_now + make_interval(secs => v_rule.seconds))
        ON CONFLICT (key) DO UPDATE SET
          attempts = CASE WHEN c.window_ends_at <= p_now THEN 0 ELSE c.attempts END,
          window_ends_at = CASE WHEN c.window_ends_at <= p_now THEN excluded.window_ends_at ELSE c.window_ends_at END
        RETURNING c.attempts INTO v_used;
        v_short := v_short OR v_used::bigint + v_rule.cost > v_rule.allowed;
      END LOOP;
      IF NOT v_short THEN
        UPDATE throttle_counters AS c SET attempts = c.attempts + rule.cost
        FROM unnest(p_keys, p_costs) AS rule(key, cost) WHERE c.key = rule.key;
      END IF;
      RETURN QUERY
        SELECT c.key, greatest(rule.allowed - c.attempts, 0),
               greatest(ceil(extract(epoch FROM c.window_ends_at - p_now))::integer, 1),
               v_short AND c.attempts::bigint + rule.cost > rule.allowed
        FROM unnest(p_keys, p_limits, p_costs) WITH ORDINALITY AS rule(key, allowed, cost, position)
        JOIN throttle_counters c ON c.key = rule.key
        ORDER BY rule.position;
    END $$`.execute(db);
}

/** Login knows an email, not a tenant: whether a session of that account was opened in a network and used since. */
async function findKnownNetwork(db: Kysely<unknown>): Promise<void> {
  await sql`
    CREATE FUNCTION find_known_network(p_email text, p_network text, p_since timestamptz) RETURNS boolean
    LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp
    AS $$
      SELECT EXISTS (
        SELECT FROM users u JOIN sessions s ON s.tenant_id = u.tenant_id AND s.user_id = u.id
        WHERE u.email = p_email AND s.ip_prefix = p_network AND s.last_used_at >= p_since)
    $$`.execute(db);
  await handOver(db, 'find_known_network(text, text, timestamptz)');
}

/** Makes a function the lookup role's, to be called by the app only. */
async function handOver(db: Kysely<unknown>, signature: string): Promise<void> {
  await sql`GRANT CREATE ON SCHEMA public TO dermagate_lookup`.execute(db);
  await sql`ALTER FUNCTION ${sql.raw(signature)} OWNER TO dermagate_lookup`.execute(db);
  await sql`REVOKE CREATE ON SCHEMA public FROM dermagate_lookup`.execute(db);
  await sql`SET LOCAL ROLE dermagate_lookup`.execute(db);
  await forTheAppOnly(db, signature);
  await sql`RESET ROLE`.execute(db);
}

async function forTheAppOnly(db: Kysely<unknown>, signature: string): Promise<void> {
  await sql`REVOKE ALL ON FUNCTION ${sql.raw(signature)} FROM PUBLIC`.execute(db);
  await sql`GRANT EXECUTE ON FUNCTION ${sql.raw(signature)} TO dermagate_app`.execute(db);
}
