'use server'
import {
  limitTool,
  resetTool,
  setApproval,
  switchTool,
  switchToolGroup,
} from '@toolgate/server/toolset/tools/tool-verbs'
import { action } from '@/lib/next/action'

const page = { refresh: '/tools' } as const

export const setTool = action(switchTool, page)
export const resetToolToDefault = action(resetTool, page)
export const setToolApproval = action(setApproval, page)
export const setLimit = action(limitTool, page)
export const setGroup = action(switchToolGroup, page)
