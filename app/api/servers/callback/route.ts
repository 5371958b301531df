import { answerCallback } from '@toolgate/server/doors/server-callback'

/** Ends a sign-in at an MCP server: its issuer sends the browser here. */
export const GET = answerCallback
