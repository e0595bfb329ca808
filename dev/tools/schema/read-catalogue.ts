import pg from 'pg';

/** What PostgreSQL's catalogue says of the schema `public`; expressions as PostgreSQL writes them. */
export interface Catalogue {
  /** In the order of their creation, those of the migrations' own bookkeeping last. Without partitions that come and go. */
  tables: Table[];
  /** Sequences that a default names; those of identity columns belong to their column. */
  sequences: { name: string; type: string; owned_by: string; grants: Grant[] }[];
  /** In the order of their names. */
  functions: { name: string; signature: string; result: string; owner: string; definer: boolean }[];
  /** One sentence each, about roles and what they may do besides. */
  notes: string[];
}

export interface Table {
  name: string;
  /** `FOR VALUES …` or `DEFAULT` of a partition. */
  bound: string | null;
  parent: string | null;
  partition_by: string | null;
  isolated: boolean;
  forced: boolean;
  columns: Column[];
  /** `awaits`: the table that a foreign key refers to, where that is created later. */
  constraints: { name: string; definition: string; awaits: string | null }[];
  /** Whole statements; indexes of constraints excepted. */
  indexes: string[];
  policies: Policy[];
  grants: Grant[];
}

export interface Column {
  name: string;
  type: string;
  collation: string | null;
  required: boolean;
  default: string | null;
  /** `ALWAYS` or `BY DEFAULT`. */
  identity: string | null;
}

export interface Policy {
  name: string;
  command: string;
  roles: string[];
  shown: string | null;
  stored: string | null;
}

/** What a role other than the owner may do: `SELECT, INSERT`. */
export interface Grant {
  role: string;
  privileges: string;
}

const grantsOf = (acl: string, owner: string) => `
  (SELECT coalesce(json_agg(g ORDER BY g.role), '[]') FROM (
    SELECT grantee::regrole::text AS role, string_agg(privilege_type, ', ' ORDER BY
      array_position(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE'], privilege_type), privilege_type) AS privileges
    FROM aclexplode(${acl}) WHERE grantee <> ${owner} GROUP BY 1) AS g)`;

const tables = `
  SELECT c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bound, pg_get_partkeydef(c.oid) AS partition_by,
    (SELECT inhparent::regclass::text FROM pg_inherits WHERE inhrelid = c.oid) AS parent,
    c.relrowsecurity AS isolated, c.relforcerowsecurity AS forced,
    (SELECT json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod),
        'collation', CASE WHEN attcollation <> typcollation THEN attcollation::regcollation::text END,
        'required', attnotnull, 'default', pg_get_expr(d.adbin, d.adrelid, true), 'identity', CASE attidentity WHEN 'a' THEN 'ALWAYS' WHEN 'd' THEN 'BY DEFAULT' END) ORDER BY attnum)
      FROM pg_attribute JOIN pg_type t ON t.oid = atttypid
      LEFT JOIN pg_attrdef d ON d.adrelid = attrelid AND d.adnum = attnum
      WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped) AS columns,
    (SELECT coalesce(json_agg(json_build_object('name', conname, 'definition', pg_get_constraintdef(oid, true),
        'awaits', CASE WHEN contype = 'f' AND confrelid > conrelid THEN confrelid::regclass::text END)
        ORDER BY position('primary' IN lower(pg_get_constraintdef(oid))) = 0, contype = 'f', contype = 'c', conname), '[]')
      FROM pg_constraint WHERE conrelid = c.oid AND contype <> 'n') AS constraints,
    (SELECT coalesce(json_agg(replace(pg_get_indexdef(indexrelid), 'public.', '') ORDER BY indexrelid), '[]')
      FROM pg_index i WHERE indrelid = c.oid
        AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)) AS indexes,
    (SELECT coalesce(json_agg(json_build_object('name', polname, 'command', polcmd,
        'roles', ARRAY(SELECT coalesce(nullif(r::regrole::text, '-'), 'PUBLIC') FROM unnest(polroles) AS r),
        'shown', pg_get_expr(polqual, polrelid, true), 'stored', pg_get_expr(polwithcheck, polrelid, true)) ORDER BY oid), '[]')
      FROM pg_policy WHERE polrelid = c.oid) AS policies,
    ${grantsOf('c.relacl', 'c.relowner')} AS grants
  FROM pg_class c
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
    AND NOT (c.relispartition AND c.relkind = 'r' AND pg_get_expr(c.relpartbound, c.oid) <> 'DEFAULT')
  ORDER BY c.relname ~ '^(kysely_|applied_)', c.oid`;

const sequences = `
  SELECT c.relname AS name, seqtypid::regtype::text AS type, refobjid::regclass || '.' || attname AS owned_by,
    ${grantsOf('c.relacl', 'c.relowner')} AS grants
  FROM pg_sequence JOIN pg_class c ON c.oid = seqrelid
  JOIN pg_depend d ON d.objid = c.oid AND d.deptype = 'a' AND d.refclassid = 'pg_class'::regclass
  JOIN pg_attribute ON attrelid = refobjid AND attnum = refobjsubid
  WHERE c.relnamespace = 'public'::regnamespace ORDER BY c.oid`;

const functions = `
  SELECT proname AS name, proname || '(' || pg_get_function_arguments(oid) || ')' AS signature,
    pg_get_function_result(oid) AS result, proowner::regrole::text AS owner, prosecdef AS definer
  FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY proname COLLATE "C"`;

const notes = `
  SELECT note FROM (
    SELECT 1 AS position, format('%s %s and is%s a superuser; it may%s bypass row-level security.', rolname,
      CASE WHEN rolcanlogin THEN 'logs in' ELSE 'does not log in' END, CASE WHEN rolsuper THEN '' ELSE ' not' END,
      CASE WHEN rolbypassrls THEN '' ELSE ' not' END) AS note
    FROM pg_roles WHERE rolname IN ('dermagate_app', 'dermagate_lookup')
    UNION ALL SELECT 2, format('%s may do in the schema: %s.', role, privileges) FROM pg_namespace,
      json_to_recordset(${grantsOf('nspacl', 'nspowner')}) AS g(role text, privileges text)
    WHERE nspname = 'public' AND role <> '-'
    UNION ALL SELECT 3, format('New functions of %s are %s.',
      CASE WHEN defaclrole = current_user::regrole THEN 'the role that migrates' ELSE defaclrole::regrole::text END,
      CASE WHEN EXISTS (SELECT FROM aclexplode(defaclacl) WHERE grantee = 0) THEN 'open to everyone' ELSE 'closed to everyone' END)
    FROM pg_default_acl WHERE defaclobjtype = 'f'
  ) AS n ORDER BY position, note COLLATE "C"`;

/** Of kinds that nothing here reads. */
const unknown = `
  SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind NOT IN ('r', 'p', 'i', 'I', 'S')
  UNION ALL SELECT typname FROM pg_type
    WHERE typnamespace = 'public'::regnamespace AND typrelid = 0 AND typelem = 0
  UNION ALL SELECT tgname FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT attrelid::regclass || '.' || attname FROM pg_attribute JOIN pg_class c ON c.oid = attrelid
    WHERE relnamespace = 'public'::regnamespace AND (attgenerated <> '' OR attacl IS NOT NULL)`;

/**
 * Reads the schema `public`; `databaseUrl` is the owner's.
 * @throws an error that names what it cannot read: views, triggers, types, generated columns, rights on columns.
 */
export async function readCatalogue(databaseUrl: string): Promise<Catalogue> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const read = async <Row>(text: string) => (await client.query(text)).rows as Row[];
    const others = (await read<{ name: string }>(unknown)).map(({ name }) => name);
    if (others.length > 0) throw new Error(`read-catalogue.ts cannot read ${others.join(', ')}.`);
    return {
      tables: await read<Table>(tables),
      sequences: await read<Catalogue['sequences'][number]>(sequences),
      functions: await read<Catalogue['functions'][number]>(functions),
      notes: (await read<{ note: string }>(notes)).map(({ note }) => note),
    };
  } finally {
    await client.end();
  }
}
