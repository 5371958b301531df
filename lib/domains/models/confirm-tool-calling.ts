import { db, unaudited } from '@/lib/kernel/db'

/** Stores that these models call tools, as far as that was not known. What an admin or a test said of one stays. */
export async function confirmToolCalling(modelRecordIds: string[]): Promise<void> {
  await unaudited(db(), 'A recorded call shows it; no person decided it.').model.updateMany({
    where: { id: { in: modelRecordIds }, toolCalling: 'unconfirmed' },
    data: {
      toolCalling: 'confirmed',
      toolCallingSource: 'tested',
      toolCallingTestedAt: new Date(),
    },
  })
}
