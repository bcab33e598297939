import type { SchemaModel } from '#lib/graph-schema/schema-model.ts'

/** The type that a name stands for: that of a reverse edge stands for its edge type. */
export function meantType({ edges }: SchemaModel, name: string): string {
  return edges.find(({ reverseName }) => reverseName === name)?.name ?? name
}
