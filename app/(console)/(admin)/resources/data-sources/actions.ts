'use server'
import { action } from '@/lib/next/action'
import { allowQueries, refuseQueries } from '@/lib/toolset/data-sources/queries'
import { closeTable, openTable } from '@/lib/toolset/data-sources/tables'
import { dataSourceVerbs } from '@/lib/toolset/data-sources/verbs'
import { switchTool } from '@/lib/toolset/tools/tool-verbs'

export const addDataSource = action(dataSourceVerbs.create)
export const changeDataSource = action(dataSourceVerbs.update)
export const removeDataSource = action(dataSourceVerbs.remove)
export const openSourceTable = action(openTable)
export const closeSourceTable = action(closeTable)
export const allowSourceQueries = action(allowQueries)
export const refuseSourceQueries = action(refuseQueries)
export const switchQueryTool = action(switchTool)
