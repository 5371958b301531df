import { z } from 'zod'
import { ToolGroupListing, ToolListing } from '../../toolset/tool-listing'
import {
  listToolGroups,
  listTools,
  resetTool,
  switchTool,
  switchToolGroup,
} from '../../toolset/tool-verbs'
import { serve } from './endpoint'

export const toolEndpoints = [
  serve('GET', '/tools', listTools, {
    answers: { 200: z.object({ tools: z.array(ToolListing) }) },
    answer: ({ output }) => Response.json({ tools: output }),
  }),
  serve('PUT', '/tools/{name}', switchTool),
  serve('DELETE', '/tools/{name}', resetTool),
  serve('GET', '/tool-groups', listToolGroups, {
    answers: { 200: z.object({ groups: z.array(ToolGroupListing) }) },
    answer: ({ output }) => Response.json({ groups: output }),
  }),
  serve('PUT', '/tool-groups/{name}', switchToolGroup),
]
