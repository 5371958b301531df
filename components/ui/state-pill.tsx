import {
  CircleCheck,
  CircleMinus,
  CircleX,
  Hourglass,
  LoaderCircle,
  type LucideIcon,
  ShieldX,
  TriangleAlert,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from './cn'

export type PillState = 'running' | 'ok' | 'warning' | 'error' | 'denied' | 'waiting' | 'off'

const looks: Record<PillState, { icon: LucideIcon; styles: string }> = {
  running: { icon: LoaderCircle, styles: 'bg-running-soft text-running' },
  ok: { icon: CircleCheck, styles: 'bg-ok-soft text-ok' },
  warning: { icon: TriangleAlert, styles: 'bg-warning-soft text-warning' },
  error: { icon: CircleX, styles: 'bg-error-soft text-error' },
  denied: { icon: ShieldX, styles: 'bg-error-soft text-error' },
  waiting: { icon: Hourglass, styles: 'bg-waiting-soft text-waiting' },
  off: { icon: CircleMinus, styles: 'bg-off-soft text-off' },
}

/** Shows a state as icon and word. The colour is never the only sign. */
export function StatePill({
  state,
  children,
  className,
}: {
  state: PillState
  children: ReactNode
  className?: string
}) {
  const { icon: Icon, styles } = looks[state]
  return (
    <span className={cn('small-label rounded-full px-2', styles, className)}>
      <Icon className={cn('size-3 shrink-0', state === 'running' && 'animate-spin')} aria-hidden />
      {children}
    </span>
  )
}
