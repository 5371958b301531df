import { Ellipsis } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Button } from './button'
import { MenuButton } from './menu-button'

/** Shows the menu of what is seldom done with the thing that a page is about, as the last of its buttons. A phone shows its icon. */
export function MoreMenu(props: Pick<ComponentProps<typeof MenuButton>, 'entries' | 'foot'>) {
  return (
    <MenuButton align="end" {...props}>
      <Button className="max-sm:px-2">
        <Ellipsis className="size-4" aria-hidden />
        <span className="max-sm:sr-only">More</span>
      </Button>
    </MenuButton>
  )
}
