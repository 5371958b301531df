export const RUN: string
export const DATABASE_USE: string
