'use server'
import { revalidatePath } from 'next/cache'
import { action } from '@/lib/action'
import { freezeSite } from '@/lib/settings/freeze-site'
import { FreezeSite, UnfreezeSite } from '@/lib/settings/schemas'
import { unfreezeSite } from '@/lib/settings/unfreeze-site'

export const freeze = action(FreezeSite, 'admin', async (ctx, input) => {
  await freezeSite(ctx, input)
  revalidatePath('/', 'layout')
})

export const unfreeze = action(UnfreezeSite, 'admin', async (ctx, input) => {
  await unfreezeSite(ctx, input)
  revalidatePath('/', 'layout')
})
