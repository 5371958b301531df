import { CircleX } from 'lucide-react'
import type { ReactNode } from 'react'
import { visibleText } from '@/lib/words/clean-text'
import { cn } from './cn'

/** Shows what happened, why, and what to do, as text. Screen readers announce it at once. */
export function ErrorNotice({
  title,
  children,
  incident,
  action,
  className,
}: {
  title: string
  children?: ReactNode
  /** Id that finds the detail in the server log. */
  incident?: string | null
  action?: ReactNode
  className?: string
}) {
  return (
    <div
      role="alert"
      className={cn(
        'flex items-start gap-2 rounded-md border border-error/40 bg-error-soft p-3',
        className,
      )}
    >
      <CircleX className="mt-0.5 size-4 shrink-0 text-error" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="font-medium text-error">{visibleText(title)}</p>
        {children && (
          <div className="text-normal">
            {typeof children === 'string' ? visibleText(children) : children}
          </div>
        )}
        {incident && <p className="mt-1 font-mono text-mono text-normal">Incident {incident}</p>}
        {action && <div className="mt-2">{action}</div>}
      </div>
    </div>
  )
}
