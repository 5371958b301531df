import { PrismaPg } from '@prisma/adapter-pg'
import { ColumnTypeEnum, type SqlDriverAdapter } from '@prisma/driver-adapter-utils'
import pg from 'pg'

const { CHAR, TEXT } = pg.types.builtins

/**
 * Prisma's adapter, but able to read PostgreSQL's own catalogue: it refuses the internal type "char", which the
 * schema engine needs to see as a character. The pool stays the caller's to end.
 */
export async function openCatalogueAdapter(pool: pg.Pool): Promise<SqlDriverAdapter> {
  const charColumns = new WeakMap<object, number[]>()
  const query = pool.query.bind(pool)
  Object.assign(pool, {
    query: async (config: pg.QueryArrayConfig) => {
      const result = await query(config)
      charColumns.set(result.rows, replaceCharFields(result.fields))
      return result
    },
  })
  const adapter = await new PrismaPg(pool).connect()
  const queryRaw = adapter.queryRaw.bind(adapter)
  adapter.queryRaw = async (request) => {
    const result = await queryRaw(request)
    for (const index of charColumns.get(result.rows) ?? []) {
      result.columnTypes[index] = ColumnTypeEnum.Character
    }
    return result
  }
  return adapter
}

/** Declares "char" fields text, so that the adapter lets them pass; returns where they were. */
function replaceCharFields(fields: pg.FieldDef[]): number[] {
  return fields.flatMap((field, index) => {
    if (field.dataTypeID !== CHAR) return []
    field.dataTypeID = TEXT
    return [index]
  })
}
