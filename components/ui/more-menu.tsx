import { Ellipsis } from 'lucide-react'
import type { ComponentProps } from 'react'
import { Button } from './button'
import { MenuButton } from './menu-button'

/** Shows the menu of what is seldom done with the thing that a page is about, as the last of its buttons. */
export function MoreMenu(props: Pick<ComponentProps<typeof MenuButton>, 'entries' | 'foot'>) {
  return (
    <MenuButton align="end" {...props}>
      <Button>
        <Ellipsis className="size-4" aria-hidden />
        More
      </Button>
    </MenuButton>
  )
}
