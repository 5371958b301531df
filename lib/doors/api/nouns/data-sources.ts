import { serve } from '@/lib/doors/api/endpoint'
import { allowQueries, refuseQueries } from '@/lib/toolset/data-sources/queries'
import { closeTable, listSourceTables, openTable } from '@/lib/toolset/data-sources/tables'

export const dataSourceEndpoints = [
  serve('GET', '/data-sources/{id}/tables', listSourceTables),
  serve('POST', '/data-sources/{id}/tables', openTable),
  serve('DELETE', '/data-sources/{id}/tables/{tableId}', closeTable),
  serve('POST', '/data-sources/{id}/queries', allowQueries),
  serve('DELETE', '/data-sources/{id}/queries', refuseQueries),
]
