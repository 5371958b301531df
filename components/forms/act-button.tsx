'use client'
import type { ReactNode } from 'react'
import type { ActionResult } from '@/lib/kernel/action'
import { Button } from '../ui/button'
import { useAct } from './use-act'

/**
 * Runs an action, shows a message about the result, and refreshes the page. A page of the server gives the action with
 * its input: `send={endOtherSessions.bind(null, null)}`.
 */
export function ActButton({
  send,
  done,
  failed,
  children,
}: {
  send: () => Promise<ActionResult<unknown>>
  done: string
  failed: string
  children: ReactNode
}) {
  const { busy, act } = useAct()
  return (
    <Button size="sm" loading={busy} onClick={() => act(send, { done, failed })}>
      {children}
    </Button>
  )
}
