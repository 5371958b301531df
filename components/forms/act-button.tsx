'use client'
import type { ReactNode } from 'react'
import { Button, type ButtonProps } from '@/components/ui/button'
import type { ActionResult } from '@/lib/next/action'
import { notSaved, useAct } from './use-act'

type Props<T> = Pick<ButtonProps, 'variant' | 'size'> & {
  /** An icon, which gives way to a sign of work. */
  icon: ReactNode
  /** The heading of a failure. */
  failed?: string
  /** The message that it worked, or what makes it of the answer. */
  done: string | ((value: T) => string)
  send: () => Promise<ActionResult<T>>
  children: ReactNode
}

/** Shows a button that runs an action at once and says what came of it. */
export function ActButton<T>({ icon, failed = notSaved, done, send, children, ...look }: Props<T>) {
  const { busy, act } = useAct()
  return (
    <Button {...look} loading={busy} onClick={() => void act(send, { failed, done })}>
      {!busy && icon}
      {children}
    </Button>
  )
}
