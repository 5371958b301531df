import { ToolError } from '@/lib/protocol/tool'

/** `name` is as the database resolves it: unquoted names in lower case, quoted ones without their quotes. */
type Token = { type: 'name'; name: string; isQuoted: boolean } | { type: 'mark'; mark: string }

const words = (text: string) => new Set(text.trim().split(/\s+/))

/** Words that stand before a parenthesis without being the name of a function. */
const keywords = words(`
  all and any array as at between bernoulli by case columns cross cube default distinct else escape except exclude
  exists fetch filter first following from full group grouping groups having ilike in inner intersect is isnull join
  lateral left like limit materialized natural next not notnull nulls offset on or order outer over overlaps partition
  passing preceding range recursive repeatable returning right rollup row rows search select set sets similar some
  symmetric system table tablesample then to union unknown using values when where window with within zone
  bit bpchar char character dec decimal float interval numeric time timestamp varchar varying`)

/** PostgreSQL's functions that calculate, aggregate, format or take a value apart. They wait for nothing and reach nothing. */
const functions = words(`
  abs acos acosd acosh asin asind asinh atan atan2 atan2d atand atanh cbrt ceil ceiling cos cosd cosh cot cotd degrees
  div erf erfc exp factorial floor gcd lcm ln log log10 min_scale mod pi power radians random random_normal round scale
  sign sin sind sinh sqrt tan tand tanh trim_scale trunc width_bucket
  ascii bit_count bit_length btrim char_length character_length chr concat concat_ws convert_from convert_to decode
  encode format get_bit get_byte initcap left length lower lpad ltrim md5 normalize octet_length overlay parse_ident
  position quote_ident quote_literal quote_nullable regexp_count regexp_instr regexp_like regexp_match regexp_matches
  regexp_replace regexp_split_to_array regexp_split_to_table regexp_substr repeat replace reverse right rpad rtrim
  set_bit set_byte sha224 sha256 sha384 sha512 split_part starts_with strpos substr substring string_to_array
  string_to_table to_ascii to_bin to_hex to_oct translate trim unistr upper
  age clock_timestamp current_date current_time current_timestamp date_add date_bin date_part date_subtract date_trunc
  extract isfinite justify_days justify_hours justify_interval localtime localtimestamp make_date make_interval make_time
  make_timestamp make_timestamptz now statement_timestamp timeofday timezone to_char to_date to_number to_timestamp
  transaction_timestamp
  any_value array_agg avg bit_and bit_or bit_xor bool_and bool_or corr count covar_pop covar_samp cume_dist dense_rank
  every first_value json_agg json_object_agg jsonb_agg jsonb_object_agg lag last_value lead max min mode nth_value ntile
  percent_rank percentile_cont percentile_disc range_agg range_intersect_agg rank regr_avgx regr_avgy regr_count
  regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy row_number stddev stddev_pop stddev_samp string_agg sum
  var_pop var_samp variance
  array_append array_cat array_dims array_fill array_length array_lower array_ndims array_position array_positions
  array_prepend array_remove array_replace array_reverse array_sample array_shuffle array_sort array_to_json
  array_to_string array_upper cardinality generate_series generate_subscripts trim_array unnest
  cast coalesce greatest least nullif num_nonnulls num_nulls pg_typeof
  json json_array json_array_elements json_array_elements_text json_array_length json_arrayagg json_build_array
  json_build_object json_each json_each_text json_exists json_extract_path json_extract_path_text json_object
  json_object_keys json_objectagg json_query json_scalar json_serialize json_strip_nulls json_table json_to_record
  json_to_recordset json_typeof json_value jsonb_array_elements jsonb_array_elements_text jsonb_array_length
  jsonb_build_array jsonb_build_object jsonb_each jsonb_each_text jsonb_extract_path jsonb_extract_path_text
  jsonb_insert jsonb_object jsonb_object_keys jsonb_path_exists jsonb_path_match jsonb_path_query
  jsonb_path_query_array jsonb_path_query_first jsonb_pretty jsonb_set jsonb_set_lax jsonb_strip_nulls jsonb_to_record
  jsonb_to_recordset jsonb_typeof row_to_json to_json to_jsonb
  daterange int4range int8range isempty lower_inc lower_inf multirange numrange range_merge tsrange tstzrange upper_inc
  upper_inf area box center circle diagonal diameter height isclosed isopen line lseg npoints path point polygon radius
  slope width abbrev broadcast family host hostmask inet_merge inet_same_family masklen netmask network set_masklen
  array_to_tsvector get_current_ts_config numnode phraseto_tsquery plainto_tsquery querytree setweight strip to_tsquery
  to_tsvector ts_delete ts_filter ts_headline ts_rank ts_rank_cd tsvector_to_array websearch_to_tsquery
  pg_size_pretty gen_random_uuid uuid_extract_timestamp uuid_extract_version uuidv4 uuidv7 version
  bigint bool boolean bytea date float4 float8 int int2 int4 int8 integer jsonb real smallint text timestamptz timetz uuid`)

/** Functions that hold locks, wait, change settings, speak outside, end others' work or run a text as a query, as their names begin. */
const harmful =
  /^(?:pg_(?:try_)?advisory|pg_sleep|pg_notify|set_config|pg_terminate|pg_cancel|lo_(?:creat|export|from|get|import|open|put|truncate|unlink)|dblink|pg_read_|pg_ls_|pg_stat_file|ts_stat$|ts_rewrite$|(?:query|cursor|table|schema|database)_to_xml)/

const space = /[ \t\n\r\f\v]+|--[^\n\r]*/y
const text = /(?:[bnx]|u&)?'(?:[^']|'')*'/iy
const escapedText = /e'(?:[^'\\]|''|\\[\s\S])*'/iy
const dollarMark = /\$(?:[A-Za-z_\u0080-\uffff][A-Za-z0-9_\u0080-\uffff]*)?\$/y
const plainName = /[A-Za-z_\u0080-\uffff][A-Za-z0-9_$\u0080-\uffff]*/y
const quotedName = /"((?:[^"]|"")+)"/y
const digits = /[0-9]+/y

/** Refuses a query that is no single read, or names a function that is not on the list (ToolError). */
export function refuseByNames(sql: string): void {
  const tokens = tokensOf(sql)
  const first = tokens.find((token) => token.type === 'name' || token.mark !== '(')
  if (!isWord(first, ['select', 'with', 'values', 'table']))
    throw notQuery('Only one SELECT, VALUES or WITH statement can be run.')
  const called = calledNames(tokens).find((call) => !isAllowed(call))
  if (called) throw notAllowed(called.path.join('.'))
  // Behind a dot, a name that is no column calls the function of this name. Not every plan shows it.
  const asColumn = tokens.find(
    (token, place) =>
      token.type === 'name' && isMark(tokens[place - 1], '.') && harmful.test(token.name),
  )
  if (asColumn?.type === 'name') throw notAllowed(asColumn.name)
}

/** Returns the names with what a dot joins before them, such as "public.orders": a query names tables with their schemas. */
export function namesIn(sql: string): Set<string> {
  const tokens = tokensOf(sql)
  return new Set(tokens.map((_, place) => pathBefore(tokens, place).join('.')))
}

/** Refuses what a plan calls that only a view can have brought into it, however deep the view is (ToolError). */
export function refuseByPlan(lines: readonly string[]): void {
  const called = calledNames(tokensOf(lines.join('\n'))).find(({ path }) =>
    harmful.test(path.at(-1) ?? ''),
  )
  if (called) throw notAllowed(`${called.path.join('.')}, which a view calls`)
}

function notQuery(message: string): ToolError {
  return new ToolError('not-a-query', message)
}

function notAllowed(name: string): ToolError {
  return new ToolError(
    'not-allowed',
    `Not allowed: ${name}. A query may only call functions of PostgreSQL that calculate, aggregate or format values.`,
  )
}

/** A name before a parenthesis, with its schema if it has one. */
type Called = { path: string[]; isQuoted: boolean }

function isAllowed({ path, isQuoted }: Called): boolean {
  const [schema, name = schema ?? '', ...more] = path
  if (more.length > 0 || (path.length === 2 && schema !== 'pg_catalog')) return false
  return functions.has(name) || (path.length === 1 && !isQuoted && keywords.has(name))
}

/** Returns the names that stand before a parenthesis, but for those of tables with their columns: after AS or a parenthesis, and of parts of a WITH. */
function calledNames(tokens: readonly Token[]): Called[] {
  const called: Called[] = []
  // Per open parenthesis: true while the names in it are those of the parts of a WITH.
  const inWith = [false]
  // Per open parenthesis: true for DISTINCT ON (…), after which a function may stand. `wasOn`: the same of the last closed one.
  const isOn = [false]
  let wasOn = false
  for (const [place, token] of tokens.entries()) {
    if (token.type === 'mark') {
      if (token.mark === '(') {
        inWith.push(false)
        isOn.push(isWord(tokens[place - 1], ['on']) && isWord(tokens[place - 2], ['distinct']))
      }
      if (token.mark === ')' && inWith.length > 1) {
        inWith.pop()
        wasOn = isOn.pop() ?? false
      }
      continue
    }
    // Elsewhere it is a part of a type, or of a table with numbered rows.
    const begins = place === 0 || isMark(tokens[place - 1], '(')
    if (isWord(token, ['with']) && begins) inWith[inWith.length - 1] = true
    if (isWord(token, ['select', 'values', 'table'])) inWith[inWith.length - 1] = false
    if (!isMark(tokens[place + 1], '(')) continue
    const path = pathBefore(tokens, place)
    const before = tokens[place - 1]
    const isPart =
      inWith.at(-1) === true && (isMark(before, ',') || isWord(before, ['with', 'recursive']))
    const isTable = isMark(before, ')') && !wasOn && isListOfNames(tokens, place + 2)
    if (isPart || isTable || isWord(before, ['as'])) continue
    called.push({ path, isQuoted: token.isQuoted })
  }
  return called
}

/** Returns whether names with commas between them stand from here to the end of the parenthesis. */
function isListOfNames(tokens: readonly Token[], place: number): boolean {
  if (tokens[place]?.type !== 'name') return false
  return isMark(tokens[place + 1], ',')
    ? isListOfNames(tokens, place + 2)
    : isMark(tokens[place + 1], ')')
}

/** Returns the name at this place with those before it that a dot joins to it. */
function pathBefore(tokens: readonly Token[], place: number): string[] {
  const token = tokens[place]
  if (token?.type !== 'name') return ['']
  if (!isMark(tokens[place - 1], '.')) return [token.name]
  return [...pathBefore(tokens, place - 2), token.name]
}

function isWord(token: Token | undefined, names: readonly string[]): boolean {
  return token?.type === 'name' && !token.isQuoted && names.includes(token.name)
}

function isMark(token: Token | undefined, mark: string): boolean {
  return token?.type === 'mark' && token.mark === mark
}

/** Takes a statement apart as PostgreSQL does, without comments and texts. Refuses what two readers could read in two ways. */
function tokensOf(sql: string): Token[] {
  const tokens: Token[] = []
  let place = 0
  let afterEscapedText = false
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = place
    const found = pattern.exec(sql)
    if (found) place = pattern.lastIndex
    return found
  }
  while (place < sql.length) {
    if (take(space)) continue
    if (sql.startsWith('/*', place)) {
      place = endOfComment(sql, place)
      continue
    }
    // The next line goes on with an escaped text, in which a backslash means something else.
    if (afterEscapedText && sql[place] === "'") throw notQuery('A text cannot go on in a new line.')
    afterEscapedText = take(escapedText) !== null
    if (afterEscapedText || take(text)) continue
    if (/^u&"/i.test(sql.slice(place, place + 3))) {
      throw new ToolError('not-allowed', 'Not allowed: U&"…". Write the name as it is.')
    }
    const mark = take(dollarMark)?.[0]
    if (mark !== undefined) {
      const end = sql.indexOf(mark, place)
      if (end < 0) throw notQuery(`The text that begins with ${mark} does not end.`)
      place = end + mark.length
      continue
    }
    const quoted = take(quotedName)?.[1]
    if (quoted !== undefined) {
      tokens.push({ type: 'name', name: quoted.replaceAll('""', '"'), isQuoted: true })
      continue
    }
    const name = take(plainName)?.[0]
    if (name !== undefined) {
      tokens.push({ type: 'name', name: lowered(name), isQuoted: false })
      continue
    }
    if (/['"]/.test(sql[place] ?? '')) throw notQuery('A quotation mark is not closed.')
    tokens.push({ type: 'mark', mark: take(digits)?.[0] ?? sql[place++] ?? '' })
  }
  return tokens
}

/** Comments may stand in one another. */
function endOfComment(sql: string, start: number): number {
  const mark = /\/\*|\*\//g
  mark.lastIndex = start
  let depth = 0
  for (let found = mark.exec(sql); found; found = mark.exec(sql)) {
    depth += found[0] === '/*' ? 1 : -1
    if (depth === 0) return mark.lastIndex
  }
  throw notQuery('A comment is not closed.')
}

/** Returns a name in lower case as PostgreSQL does: letters of ASCII alone change. */
function lowered(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}
