'use server'
import { allowQueries, refuseQueries } from '@toolgate/server/toolset/data-sources/queries'
import { closeTable, openTable } from '@toolgate/server/toolset/data-sources/tables'
import { switchTool } from '@toolgate/server/toolset/tools/tool-verbs'
import { action } from '@/lib/next/action'

export const openSourceTable = action(openTable)
export const closeSourceTable = action(closeTable)
export const allowSourceQueries = action(allowQueries)
export const refuseSourceQueries = action(refuseQueries)
export const switchQueryTool = action(switchTool)
