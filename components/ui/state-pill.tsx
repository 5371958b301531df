import type { ReactNode } from 'react'
import { cn } from './cn'

export type PillState = 'running' | 'ok' | 'warning' | 'error' | 'denied' | 'waiting' | 'off'

const circle = 'M2 12a10 10 0 1 0 20 0a10 10 0 1 0-20 0'

/** Icons of Lucide, each as one path: a list of runs has dozens, and the component writes ten attributes for each. */
const looks: Record<PillState, { path: string; styles: string }> = {
  running: { path: 'M21 12a9 9 0 1 1-6.219-8.56', styles: 'bg-running-soft text-running' },
  ok: { path: `${circle}m14-3-5.5 5.5L8 12`, styles: 'bg-ok-soft text-ok' },
  warning: {
    path: 'm21.73 18-8-14a2 2 0 0 0-3.48 0l-8 14A2 2 0 0 0 4 21h16a2 2 0 0 0 1.73-3M12 9v4m0 4h.01',
    styles: 'bg-warning-soft text-warning',
  },
  error: { path: `${circle}m13-3-6 6m0-6 6 6`, styles: 'bg-error-soft text-error' },
  denied: {
    path: 'M20 13c0 5-3.5 7.5-7.66 8.95a1 1 0 0 1-.67-.01C7.5 20.5 4 18 4 13V6a1 1 0 0 1 1-1c2 0 4.5-1.2 6.24-2.72a1.17 1.17 0 0 1 1.52 0C14.51 3.81 17 5 19 5a1 1 0 0 1 1 1zm-5.5-3.5-5 5m0-5 5 5',
    styles: 'bg-error-soft text-error',
  },
  waiting: {
    path: 'M5 22h14M5 2h14m-2 20v-4.172a2 2 0 0 0-.586-1.414L12 12l-4.414 4.414A2 2 0 0 0 7 17.828V22M7 2v4.172a2 2 0 0 0 .586 1.414L12 12l4.414-4.414A2 2 0 0 0 17 6.172V2',
    styles: 'bg-waiting-soft text-waiting',
  },
  off: { path: `${circle}M8 12h8`, styles: 'bg-off-soft text-off' },
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
  const { path, styles } = looks[state]
  return (
    <span className={cn('small-label rounded-full px-2', styles, className)}>
      <svg
        viewBox="0 0 24 24"
        className={cn('line-icon size-3 shrink-0', state === 'running' && 'animate-spin')}
        aria-hidden
      >
        <path d={path} />
      </svg>
      {children}
    </span>
  )
}
