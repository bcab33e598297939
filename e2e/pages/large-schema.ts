/** A schema of very many types, as a change of a graph: islands of vertex types in stars. */
const ISLANDS = 12
const VERTICES_OF_AN_ISLAND = 10

const vertex = (name: string) => ({
  Name: name,
  PrimaryId: { AttributeName: 'id', AttributeType: { Name: 'STRING' } },
  Attributes: ['code', 'note'].map((one) => ({
    AttributeName: one,
    AttributeType: { Name: 'STRING' },
  })),
})

/** 120 vertex types in 12 islands, with 10 edge types each: 240 types in all. */
export const largeSchema = {
  graph: 'archipelago',
  change: {
    addVertexTypes: inIslands((island, at) => vertex(`Isle${island}_T${at}`)),
    // The first joins all others, and itself.
    addEdgeTypes: inIslands((island, at) => ({
      Name: `isle${island}_e${at}`,
      IsDirected: true,
      FromVertexTypeName: `Isle${island}_T0`,
      ToVertexTypeName: `Isle${island}_T${at}`,
      Attributes: [],
    })),
  },
}

function inIslands<T>(make: (island: number, at: number) => T): T[] {
  return Array.from({ length: ISLANDS * VERTICES_OF_AN_ISLAND }, (_, index) =>
    make(Math.floor(index / VERTICES_OF_AN_ISLAND), index % VERTICES_OF_AN_ISLAND),
  )
}
