import type { OwnTask } from '@toolgate/server/runs/lists/own-tasks'
import { CircleSlash, Play } from 'lucide-react'
import Link from 'next/link'
import { VisibleText } from '@/components/trace/visible-text'
import { Button } from '@/components/ui/button'
import { visibleText } from '@/lib/words/clean-text'

/** Shows the button that opens a task in the Playground, or why it cannot be run now. */
export function RunTask({
  task: { id, name, obstacle },
  variant = 'secondary',
}: {
  task: Pick<OwnTask, 'id' | 'name' | 'obstacle'>
  variant?: 'primary' | 'secondary'
}) {
  if (obstacle !== null) {
    return (
      <span className="flex items-start gap-1.5 text-sm text-warning [overflow-wrap:anywhere]">
        <CircleSlash className="mt-0.5 size-4 shrink-0" aria-hidden />
        <span>
          <VisibleText text={obstacle} />
        </span>
      </span>
    )
  }
  return (
    <Button asChild variant={variant} className="relative z-10 w-fit">
      <Link href={`/playground?task=${id}`} aria-label={`Run ${visibleText(name)}`}>
        <Play className="size-4 fill-current" aria-hidden />
        Run
      </Link>
    </Button>
  )
}
